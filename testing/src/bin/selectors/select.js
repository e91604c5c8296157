// Selects in each of `questions`, [page, names of all elements, [[selector, expected], …]], where `expected` is a list
// of the numbers of the selected elements. Returns the unexpected answers: [[number of the page, [[number of the
// selector, found numbers], …]], …]. If the names of the elements differ, the answer for the page is [[-1, "another
// tree"]].
"use strict";

const answers = [];
questions.forEach(([text, names, asked], number) => {
  const page = new DOMParser().parseFromString(text, "text/html");
  const all = Array.from(page.getElementsByTagName("*"));
  if (all.map((element) => element.localName).join() !== names) {
    answers.push([number, [[-1, "another tree"]]]);
    return;
  }
  const numbers = new Map(all.map((element, place) => [element, place]));
  const wrong = [];
  asked.forEach(([selector, expected], place) => {
    let found;
    try {
      found = Array.from(page.querySelectorAll(selector), (one) => numbers.get(one)).join();
    } catch (error) {
      found = "error: " + error;
    }
    if (found !== expected) {
      wrong.push([place, found]);
    }
  });
  if (wrong.length > 0) {
    answers.push([number, wrong]);
  }
});
// Escapes all characters that the output of the page could change.
const escaped = JSON.stringify(answers).replace(
  /[^\x20-\x7e]|[&<>]/g,
  (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"),
);
document.getElementById("answer").textContent = "[" + questions.length + "," + escaped + "]";
