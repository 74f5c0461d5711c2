import { once } from 'node:events'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of an archive. Its texts are requested after the files before it are written. */
export interface ArchiveFile {
  readonly name: string
  readonly texts: AsyncIterable<string> | Iterable<string>
}

/** The same rows give the same bytes, whenever a workbook is written. Zip stores local time, so this is a local date. */
const MODIFIED_AT = new Date(1980, 0, 1)

async function* toBytes(texts: ArchiveFile['texts']): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text)
}

/** Streams a zip archive as fast as the consumer reads it; the archive is never in memory as a whole. */
export async function* toArchive(files: Iterable<ArchiveFile>): AsyncGenerator<Buffer> {
  const archive = new ZipFile()
  const output = Readable.from(archive.outputStream, { objectMode: false })
  let source: Readable | undefined
  const fail = (error: Error): void => {
    output.destroy(error)
  }
  archive.on('error', fail)
  for (const { name, texts } of files) {
    archive.addReadStreamLazy(name, { mtime: MODIFIED_AT, forceDosTimestamp: true }, (open) => {
      source = Readable.from(toBytes(texts), { objectMode: false })
      source.on('error', fail)
      open(null, source)
    })
  }
  archive.end()
  try {
    for await (const piece of output) yield Buffer.from(piece)
  } finally {
    // If the consumer stops early, the texts must end before this generator does: they may read from a transaction.
    if (source && !source.closed) {
      source.destroy()
      await once(source, 'close')
    }
  }
}
