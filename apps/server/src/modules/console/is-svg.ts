const SPACE = /\s*/y
/** A sign that means something inside a document type: what is quoted or commented may hold any sign. */
const DOCTYPE_SIGN = /["'[\]>]|<!--|<\?/g
const ROOT = /<svg[\s/>]/iy

/** End of what begins at `start` and is closed by `close`; undefined when it is not closed. */
function endOf(text: string, start: number, close: string): number | undefined {
  const at = text.indexOf(close, start)
  return at < 0 ? undefined : at + close.length
}

/** What the signs open inside a document type, and how it is closed. */
const closings: Readonly<Record<string, string>> = { '"': '"', "'": "'", '<!--': '-->', '<?': '?>' }

/** End of a document type, with the subset in brackets it may hold, in which drawing programs name spaces. */
function endOfDoctype(text: string, start: number): number | undefined {
  let isInSubset = false
  DOCTYPE_SIGN.lastIndex = start
  for (let found = DOCTYPE_SIGN.exec(text); found; found = DOCTYPE_SIGN.exec(text)) {
    const [sign] = found
    const closing = closings[sign]
    if (closing !== undefined) {
      const end = endOf(text, DOCTYPE_SIGN.lastIndex, closing)
      if (end === undefined) return undefined
      DOCTYPE_SIGN.lastIndex = end
    } else if (sign === '>') {
      if (!isInSubset) return DOCTYPE_SIGN.lastIndex
    } else {
      isInSubset = sign === '['
    }
  }
  return undefined
}

/** End of a declaration, instruction, comment or document type at `start`; undefined when there is none. */
function endOfProlog(text: string, start: number): number | undefined {
  if (text.startsWith('<?', start)) return endOf(text, start + 2, '?>')
  if (text.startsWith('<!--', start)) return endOf(text, start + 4, '-->')
  return text.slice(start, start + 9).toUpperCase() === '<!DOCTYPE'
    ? endOfDoctype(text, start + 9)
    : undefined
}

/** Whether a text is an SVG by its root element. Reads what stands before it once, whatever that is. */
export function isSvg(text: string): boolean {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  for (;;) {
    SPACE.lastIndex = at
    SPACE.exec(text)
    at = SPACE.lastIndex
    ROOT.lastIndex = at
    if (ROOT.test(text)) return true
    const end = endOfProlog(text, at)
    if (end === undefined) return false
    at = end
  }
}
