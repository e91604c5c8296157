// Selects in each of `questions`, [page, [name, …], [[selector, expected], …]]: the names of all elements, and of
// each selector the numbers of those that are expected. Answers with what is not so: [[number, [[selector's number,
// what was found], …]], …]. Where the names are others, that is the answer: [[-1, …]].
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
// Letters that nothing escapes on their way out.
const escaped = JSON.stringify(answers).replace(
  /[^\x20-\x7e]|[&<>]/g,
  (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"),
);
document.getElementById("answer").textContent = "[" + questions.length + "," + escaped + "]";
