import { SaxesParser } from 'saxes'
import { UnreadableFileError } from './zip-reader.ts'

export interface XmlListener {
  /** `name` without a prefix. */
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text(text: string): void
  close(name: string): void
}

const MAX_DEPTH = 64
/** Longest text or tag; the parser holds it in memory. */
const MAX_HELD_BYTES = 1024 * 1024

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Parses an XML document chunk by chunk and calls `listener` for its elements and texts. Entities of a DTD are not
 * supported, and input that would fill the parser's memory is rejected. Throws UnreadableFileError.
 */
export async function* readXml(bytes: AsyncIterable<Buffer>, listener: XmlListener): AsyncGenerator<void> {
  const parser = new SaxesParser()
  const decoder = new TextDecoder('utf-8')
  let depth = 0
  let held = 0
  parser.on('error', (cause) => {
    throw new UnreadableFileError('the workbook is damaged', { cause })
  })
  parser.on('opentag', ({ name, attributes }) => {
    held = 0
    depth += 1
    if (depth > MAX_DEPTH) throw new UnreadableFileError('the workbook is nested too deeply')
    listener.open(withoutPrefix(name), attributes)
  })
  parser.on('text', (text) => {
    held = 0
    listener.text(text)
  })
  parser.on('cdata', (text) => listener.text(text))
  parser.on('closetag', ({ name }) => {
    held = 0
    depth -= 1
    listener.close(withoutPrefix(name))
  })
  for await (const piece of bytes) {
    held += piece.length
    if (held > MAX_HELD_BYTES) throw new UnreadableFileError('the workbook holds too long a text')
    parser.write(decoder.decode(piece, { stream: true }))
    yield
  }
  parser.close()
}
