// Compares the `innerText` of each element of each document with an expected list, and returns the first difference of
// each document: the number of the element, its name and Chromium's text. The documents have no style sheets and no
// scripts, and are shown in a frame without scripting.
async function shown() {
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-same-origin";
  frame.width = 2000;
  const loaded = new Promise((done) => (frame.onload = done));
  frame.srcdoc = "<!DOCTYPE html>";
  document.body.append(frame);
  await loaded;
  return frame.contentDocument;
}

function difference(page, markup, expected) {
  const parsed = new DOMParser().parseFromString(markup, "text/html");
  for (const style of parsed.querySelectorAll("[style]")) style.removeAttribute("style");
  for (const style of parsed.querySelectorAll("style, link")) {
    style.disabled = true;
    style.removeAttribute("rel");
    style.setAttribute("media", "not all");
  }
  page.replaceChild(page.adoptNode(parsed.documentElement), page.documentElement);
  const elements = [...page.querySelectorAll("*")];
  if (elements.length !== expected.length) return [-1, "", `${elements.length} elements`];
  for (const [number, element] of elements.entries()) {
    // Elements of SVG and MathML have no such property, and Chromium does not render the options of a closed list.
    const text = element.localName === "option" ? undefined : element.innerText;
    if (text !== undefined && text !== expected[number]) return [number, element.localName, text];
  }
  return null;
}

shown().then((page) => {
  const found = [];
  for (const [number, [markup, expected]] of questions.entries()) {
    const answer = difference(page, markup, expected);
    if (answer) found.push([number, answer]);
  }
  const json = JSON.stringify([questions.length, found]);
  // The answer is read as markup, in which these characters are written as references.
  const plain = (one) => "\\u00" + one.charCodeAt(0).toString(16);
  document.getElementById("answer").textContent = json.replace(/[<>&]/g, plain);
});
