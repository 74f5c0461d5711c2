import { gzipSync } from 'node:zlib'

/** A GeoJSON map file with a street, and other members beside the features. */
export const toTownText = (members: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { highway: 'primary', name: '解放大街' },
        geometry: {
          type: 'LineString',
          coordinates: [
            [116.4, 39.9],
            [116.41, 39.9],
          ],
        },
      },
    ],
    ...members,
  })

const HEADER_BYTES = 127

function toVarint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...toVarint(Math.floor(value / 128))]
}

/** Settings of a PMTiles file; the numbers are those of the format. */
interface TestArchive {
  readonly version?: number
  readonly tileType?: number
  readonly tileCompression?: number
  readonly metadata?: string
  readonly maxZoom?: number
}

/**
 * A PMTiles archive (github.com/protomaps/PMTiles, spec/v3) with one vector tile, that of the whole world. The tile is
 * empty.
 */
export function toArchive({
  version = 3,
  tileType = 1,
  tileCompression = 2,
  metadata = '{"attribution":"<a href=\\"https://osm.org\\">&copy; OpenStreetMap</a>"}',
  maxZoom = 0,
}: TestArchive = {}): Buffer {
  const tile = gzipSync(Buffer.alloc(0))
  // One entry: tile 0, run of 1, its length, offset 0 (stored plus one).
  const directory = gzipSync(Buffer.from([1, 0, 1, ...toVarint(tile.length), 1]))
  const packedMetadata = gzipSync(metadata)
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('PMTiles', 'latin1')
  header[7] = version
  const metadataAt = HEADER_BYTES + directory.length
  const tilesAt = metadataAt + packedMetadata.length
  const numbers = [
    HEADER_BYTES,
    directory.length,
    metadataAt,
    packedMetadata.length,
    tilesAt,
    0,
    tilesAt,
    tile.length,
    1,
    1,
    1,
  ]
  for (const [index, number] of numbers.entries()) header.writeBigUInt64LE(BigInt(number), 8 + 8 * index)
  header.set([1, 2, tileCompression, tileType, 0, maxZoom], 96)
  return Buffer.concat([header, directory, packedMetadata, tile])
}
