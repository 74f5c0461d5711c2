const SPACE = /\s*/y
/** A mark with a meaning inside a document type. Quoted and commented text may contain any mark. */
const DOCTYPE_MARK = /["'[\]>]|<!--|<\?/g
const ROOT = /<svg[\s/>]/iy

/** End of the text that starts at `start` and is closed by `close`; undefined if it is not closed. */
function endOf(text: string, start: number, close: string): number | undefined {
  const at = text.indexOf(close, start)
  return at < 0 ? undefined : at + close.length
}

/** The closing text for each opening one inside a document type. */
const closings: Readonly<Record<string, string>> = { '"': '"', "'": "'", '<!--': '-->', '<?': '?>' }

/** End of a document type, including its optional subset in brackets, where drawing programs declare namespaces. */
function endOfDoctype(text: string, start: number): number | undefined {
  let isInSubset = false
  DOCTYPE_MARK.lastIndex = start
  for (let found = DOCTYPE_MARK.exec(text); found; found = DOCTYPE_MARK.exec(text)) {
    const [mark] = found
    const closing = closings[mark]
    if (closing !== undefined) {
      const end = endOf(text, DOCTYPE_MARK.lastIndex, closing)
      if (end === undefined) return undefined
      DOCTYPE_MARK.lastIndex = end
    } else if (mark === '>') {
      if (!isInSubset) return DOCTYPE_MARK.lastIndex
    } else {
      isInSubset = mark === '['
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

/** Whether the root element of a text is svg. Reads the text before it only once. */
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
