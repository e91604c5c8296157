/** The comparison of two texts by lines. */

export interface DiffRow {
  left: string | null;
  right: string | null;
}

/** The table of the longest common subsequence has at most this many cells. */
const MAX_CELLS = 4_000_000;

export function isDifferent({ left, right }: DiffRow): boolean {
  return left !== right;
}

/** Pairs the lines of two texts. Lines of one text that the other does not have are paired with null. */
export function compareLines(left: string[], right: string[]): DiffRow[] {
  let begin = 0;
  while (begin < left.length && begin < right.length && left[begin] === right[begin]) begin++;
  let end = 0;
  while (
    end < left.length - begin &&
    end < right.length - begin &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  ) {
    end++;
  }
  const same = (lines: string[]) => lines.map((line) => ({ left: line, right: line }));
  const leftMiddle = left.slice(begin, left.length - end);
  const rightMiddle = right.slice(begin, right.length - end);
  return [...same(left.slice(0, begin)), ...pairMiddle(leftMiddle, rightMiddle), ...same(left.slice(left.length - end))];
}

function pairMiddle(left: string[], right: string[]): DiffRow[] {
  const width = right.length + 1;
  if (left.length * right.length > MAX_CELLS) {
    const rows = Math.max(left.length, right.length);
    return Array.from({ length: rows }, (_, i) => ({ left: left[i] ?? null, right: right[i] ?? null }));
  }
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let l = left.length - 1; l >= 0; l--) {
    for (let r = right.length - 1; r >= 0; r--) {
      const at = l * width + r;
      const down = lengths[at + width] ?? 0;
      const across = lengths[at + 1] ?? 0;
      lengths[at] = left[l] === right[r] ? (lengths[at + width + 1] ?? 0) + 1 : Math.max(down, across);
    }
  }
  const rows: DiffRow[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const [onLeft = null, onRight = null] = [left[l], right[r]];
    if (l < left.length && r < right.length && onLeft === onRight) {
      rows.push({ left: onLeft, right: onRight });
      l++;
      r++;
    } else if (r >= right.length || (l < left.length && (lengths[(l + 1) * width + r] ?? 0) >= (lengths[l * width + r + 1] ?? 0))) {
      rows.push({ left: onLeft, right: null });
      l++;
    } else {
      rows.push({ left: null, right: onRight });
      r++;
    }
  }
  return rows;
}
