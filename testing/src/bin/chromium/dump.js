// Parses each of `questions`, [document, context, expected answer, kind of the question], and returns the answers that
// are not as expected: [[number, answer], …]. The parsed documents load nothing, and their scripts do not run, except
// for the kind "runs", which finds out whether scripts run. Such scripts call `evil()`.
"use strict";

function context(inert, name) {
  const [kind, local] = name.includes(" ") ? name.split(" ") : ["", name];
  const namespace = Object.keys(KINDS).find((uri) => KINDS[uri] === kind + " ");
  return namespace ? inert.createElementNS(namespace, local) : inert.createElement(local);
}

// Returns the form of each control, as its index among all forms.
function forms(text) {
  const elements = [];
  const collect = (parent) => {
    for (const element of parent.children) {
      elements.push(element);
      if (element.content) {
        collect(element.content);
      }
      collect(element);
    }
  };
  // In documents without a window, Chromium 156 forgets the form pointer.
  const inner = loaded(text);
  const kinds = inner.defaultView;
  collect(inner);
  const all = elements.filter((element) => element instanceof kinds.HTMLFormElement);
  const controls = elements.filter((element) =>
    ["Button", "FieldSet", "Input", "Object", "Output", "Select", "TextArea"].some((kind) =>
      element instanceof kinds["HTML" + kind + "Element"]));
  const told = controls.map((control) => control.localName + " " + all.indexOf(control.form) + "\n").join("");
  frames.splice(0).forEach((frame) => frame.remove());
  return told;
}

// Configurations of the sanitizer. `sanitize.rs` has the same ones for tagstream's sanitizer.
const SANITIZERS = {
  safe: {},
  baseline: { sanitizer: {} },
  removing: { sanitizer: { removeElements: ["b", "p", "table", "button", "option", "nobr", "title"] } },
  replacing: { sanitizer: { replaceWithChildrenElements: ["a", "i", "div", "li", "ul", "form", "button", "nobr", "select"] } },
  both: { sanitizer: {
    removeElements: ["i", "div", "form"],
    replaceWithChildrenElements: ["a", "b", "p", "li", "nobr", "span"],
  } },
};

// Loads a document in a frame in which no script runs. `parseHTMLUnsafe` of Chromium 156 cannot be used, because it
// drops comments.
function loaded(text) {
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-same-origin";
  document.body.append(frame);
  const inner = frame.contentDocument;
  inner.open();
  inner.write(text);
  inner.close();
  frames.push(frame);
  return inner;
}

// The frames of the current document. They are removed after the document was read.
const frames = [];

function tree(text, contextName, asked) {
  const lines = [];
  const options = SANITIZERS[asked];
  const sanitized = options !== undefined;
  if (contextName === null) {
    const parsed = sanitized
      ? Document.parseHTML(text, options)
      : asked === "shadow roots"
        ? loaded(text)
        : new DOMParser().parseFromString(text, "text/html");
    if (sanitized) {
      // Chromium 156 leaves comments and instructions beside the root element.
      for (const node of Array.from(parsed.childNodes)) {
        if (node.nodeType === Node.COMMENT_NODE || node.nodeType === Node.PROCESSING_INSTRUCTION_NODE) {
          node.remove();
        }
      }
    }
    dumpBelow(parsed, 0, lines);
    lines.push(parsed.compatMode === "BackCompat" ? "quirks\n" : "no quirks\n");
    frames.splice(0).forEach((frame) => frame.remove());
  } else {
    // The document is not displayed, so nothing in it is fetched, and scripting is off.
    const inert = document.implementation.createHTMLDocument("");
    const element = context(inert, contextName);
    if (sanitized) {
      element.setHTML(text, options);
    } else if (asked === "shadow roots") {
      element.setHTMLUnsafe(text);
    } else {
      element.innerHTML = text;
    }
    const filled = element.content || element;
    dumpBelow(filled, 0, lines);
  }
  return lines.join("");
}

let ran = 0;
window.evil = () => {
  ran += 1;
};

// Inserts sanitized markup in elements of a displayed page, and returns what is wrong: scripts, event handlers, and
// `javascript:` URLs, or that a script ran. Scripts that run later are counted.
function runs(text) {
  const wrong = [];
  const before = ran;
  const host = document.body.appendChild(document.createElement("div"));
  for (const name of ["div", "svg svg", "math math", "select", "table", "noscript"]) {
    const element = host.appendChild(context(document, name));
    element.innerHTML = text;
    for (const one of element.querySelectorAll("*")) {
      if (one.localName === "script") {
        wrong.push(name + ": script");
      }
      for (const { name: attribute, value } of one.attributes) {
        const isUrl = /^(xlink:)?(href|src|action|formaction|data|background)$/i.test(attribute);
        if (/^on/i.test(attribute) || isUrl && scheme(value) === "javascript:") {
          wrong.push(name + ": " + attribute + "=" + value);
        }
      }
      try {
        one.dispatchEvent(new Event("click"));
        one.dispatchEvent(new Event("focus"));
      } catch (error) {
        wrong.push(name + ": " + error);
      }
    }
  }
  kept.push(host);
  return ran > before ? "ran" : wrong.join("; ");
}

// Returns the scheme of a URL, as the browser parses it.
function scheme(value) {
  try {
    return new URL(value, location).protocol;
  } catch {
    return "";
  }
}

// The inserted elements. They stay in the page until the answers are returned, so that their resources are loaded.
const kept = [];
questions.forEach(([text, contextName, expected, asked], number) => {
  let found;
  try {
    found = asked === "runs" ? runs(text) : asked === "forms" ? forms(text) : tree(text, contextName, asked);
  } catch (error) {
    found = "error: " + error;
  }
  if (found !== expected) {
    answers.push([number, found]);
  }
});
function tell() {
  for (const host of kept) {
    host.remove();
  }
  if (ran > 0) {
    answers.push([0, "scripts ran " + ran + " times"]);
  }
  answer();
}

// Inserted markup may run scripts after some time.
if (kept.length > 0) {
  document.body.getBoundingClientRect();
  setTimeout(tell, 2000);
} else {
  tell();
}
