import type { FileHandle } from 'node:fs/promises'
import { MAX_GROUND_ZOOM } from '@isotherm/contract/network/map-ground'
import { Compression, type Header, PMTiles, type Source, TileType } from 'pmtiles'
import { type Examined, refuse, toPlainText } from './examine-geojson.ts'

const HEADER_BYTES = 127
const MAGIC = 'PMTiles'
const VERSION = 3
/** Largest directory or metadata that is read, bytes; damaged files state any length. */
const MAX_PART_BYTES = 16 * 1024 * 1024

function toSource(handle: FileHandle): Source {
  return {
    getKey: () => 'file',
    async getBytes(offset, length) {
      if (length > MAX_PART_BYTES) throw new RangeError(`a part of ${length} bytes`)
      const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, offset)
      return { data: buffer.buffer.slice(0, bytesRead) }
    },
  }
}

const canUnpack = (compression: Compression): boolean =>
  compression === Compression.None || compression === Compression.Gzip

/** Length that the file must have by its header. */
const toNeededBytes = (header: Header): number =>
  Math.max(
    header.rootDirectoryOffset + header.rootDirectoryLength,
    header.jsonMetadataOffset + header.jsonMetadataLength,
    header.leafDirectoryOffset + (header.leafDirectoryLength ?? 0),
    header.tileDataOffset + (header.tileDataLength ?? 0),
  )

/** Examines a PMTiles map file (github.com/protomaps/PMTiles, version 3) by its header, root directory and metadata. */
export async function examinePmtiles(handle: FileHandle, totalBytes: number): Promise<Examined> {
  const head = await handle.read(new Uint8Array(HEADER_BYTES), 0, HEADER_BYTES, 0)
  if (Buffer.from(head.buffer).toString('latin1', 0, MAGIC.length) !== MAGIC) return refuse('no-pmtiles')
  if (head.buffer[MAGIC.length] !== VERSION) return refuse('other-version')
  if (head.bytesRead < HEADER_BYTES) return refuse('cut-off')
  const archive = new PMTiles(toSource(handle))
  try {
    const header = await archive.getHeader()
    if (header.maxZoom > MAX_GROUND_ZOOM) return refuse('no-pmtiles')
    if (toNeededBytes(header) > totalBytes) return refuse('cut-off')
    if (header.tileType !== TileType.Mvt) return refuse('no-vectors')
    if (!canUnpack(header.tileCompression) || !canUnpack(header.internalCompression))
      return refuse('packed-otherwise')
    if (header.numAddressedTiles === 0 && header.tileDataLength === 0) return refuse('empty')
    const metadata: unknown = await archive.getMetadata()
    const attribution = metadata instanceof Object ? Reflect.get(metadata, 'attribution') : ''
    return { kind: 'good', attribution: toPlainText(attribution), maxZoom: header.maxZoom }
  } catch {
    // The header is right; directory or metadata cannot be unpacked or parsed.
    return refuse('no-pmtiles')
  }
}
