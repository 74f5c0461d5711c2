import type { GroundFile } from '@isotherm/contract/network/map-ground'
import type Feature from 'ol/Feature.js'
import MVT from 'ol/format/MVT.js'
import VectorImageLayer from 'ol/layer/VectorImage.js'
import VectorTileLayer from 'ol/layer/VectorTile.js'
import type { Projection } from 'ol/proj.js'
import type RenderFeature from 'ol/render/Feature.js'
import VectorSource from 'ol/source/Vector.js'
import VectorTileSource from 'ol/source/VectorTile.js'
import TileState from 'ol/TileState.js'
import VectorTile from 'ol/VectorTile.js'
import { EtagMismatch, PMTiles } from 'pmtiles'
import type { GroundReader } from '../../places/ground-files.ts'
import { createGroundStyle, type GroundLook } from './ground-style.ts'
import { readGeojson } from './read-geojson.ts'

/** Share of the picture of a GeoJSON file that is painted around the map, so that a short drag paints nothing. */
const PICTURE_RATIO = 1.5

interface LayerParts {
  readonly file: GroundFile
  readonly reader: GroundReader
  /** Called when the file, or a part of it, cannot be loaded. */
  readonly onFailed: () => void
}

/** Attributions are set as HTML by the library. */
function toAttributions(attribution: string): string[] {
  const text = attribution.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return text === '' ? [] : [text]
}

function createGeojsonLayer({ file, reader, onFailed }: LayerParts) {
  const source = new VectorSource<Feature>({
    attributions: toAttributions(file.attribution),
    // The fifth argument makes the library wait for the file before it says that the map is drawn.
    loader: (_extent, _resolution, projection: Projection, loaded, failed) => {
      reader
        .readText(file)
        .then((text) => {
          const features = readGeojson(text, projection)
          source.addFeatures(features)
          loaded?.(features)
        })
        .catch(() => {
          failed?.()
          onFailed()
        })
    },
  })
  return new VectorImageLayer({ source, declutter: true, imageRatio: PICTURE_RATIO })
}

function openArchive({ file, reader }: LayerParts): PMTiles {
  return new PMTiles({
    getKey: () => `${file.file} ${file.version}`,
    async getBytes(offset, length, signal, etag) {
      const part = await reader.readPart(file, offset, length, signal)
      // The file was replaced meanwhile: the library reads its index again.
      if (etag !== undefined && part.etag !== etag) throw new EtagMismatch(file.file)
      return { data: part.data, ...(part.etag === undefined ? {} : { etag: part.etag }) }
    },
  })
}

function createTilesLayer(parts: LayerParts) {
  const { file, onFailed } = parts
  const archive = openArchive(parts)
  const format = new MVT()
  const source = new VectorTileSource({
    attributions: toAttributions(file.attribution),
    format,
    maxZoom: file.maxZoom,
    wrapX: false,
    transition: 0,
    tileUrlFunction: ([z, x, y]) => `${z}/${x}/${y}`,
    tileLoadFunction(tile) {
      if (!(tile instanceof VectorTile)) return
      const loading: VectorTile<RenderFeature> = tile
      loading.setLoader((extent, _resolution, projection) => {
        const [z = 0, x = 0, y = 0] = loading.getTileCoord()
        archive
          .getZxy(z, x, y)
          .then((found) => {
            const options = { extent, featureProjection: projection }
            loading.setFeatures(found ? format.readFeatures(found.data, options) : [])
          })
          .catch(() => {
            loading.setState(TileState.ERROR)
            onFailed()
          })
      })
    },
  })
  return new VectorTileLayer({ source, declutter: true })
}

/** A layer for each map file. Calls `onFailed` with the name of a file that cannot be loaded. */
export function createFileLayers(
  files: readonly GroundFile[],
  reader: GroundReader,
  onFailed: (file: string) => void,
) {
  const layers = files.map((file) => {
    const parts = { file, reader, onFailed: () => onFailed(file.file) }
    return file.format === 'geojson' ? createGeojsonLayer(parts) : createTilesLayer(parts)
  })
  return {
    layers,
    show(look: GroundLook): void {
      for (const layer of layers) layer.setStyle(createGroundStyle(look))
    },
  }
}
