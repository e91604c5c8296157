// Parses each of `questions`, [chunks, markup that scripts write, expected tree], in a frame in which scripts run:
// `w(N)` writes the pieces with the number N. Returns the trees that are not as expected.
"use strict";

function written(chunks, writes) {
  const frame = document.body.appendChild(document.createElement("iframe"));
  const inner = frame.contentDocument;
  frame.contentWindow.w = (number) => {
    // Other scripts do not write. `currentScript` is null for a script in a shadow root.
    const script = inner.currentScript;
    const pieces = !script || script.textContent === "w(" + number + ")" ? writes[number] || [] : [];
    for (const piece of pieces) {
      inner.write(piece);
    }
  };
  inner.open();
  for (const chunk of chunks) {
    inner.write(chunk);
  }
  inner.close();
  const lines = [];
  dumpBelow(inner, 0, lines);
  lines.push(inner.compatMode === "BackCompat" ? "quirks\n" : "no quirks\n");
  frame.remove();
  return lines.join("");
}

questions.forEach(([chunks, writes, expected], number) => {
  let found;
  try {
    found = written(chunks, writes);
  } catch (error) {
    found = "error: " + error;
  }
  if (found !== expected) {
    answers.push([number, found]);
  }
});
answer();
