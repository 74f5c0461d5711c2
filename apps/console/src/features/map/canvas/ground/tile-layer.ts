import TileLayer from 'ol/layer/Tile.js'
import XYZ from 'ol/source/XYZ.js'

/** The base map tiles below the network. */
export interface BaseTiles {
  /** URL template with {z}, {x} and {y}. */
  readonly url: string
  readonly attribution: string
  readonly maxZoom: number
}

/** The layer of base map tiles, without fading. Calls `onFailed` for each tile that cannot be loaded. */
export function createTileLayer({ url, attribution, maxZoom }: BaseTiles, onFailed: () => void) {
  const attributions = attribution === '' ? [] : [attribution]
  const source = new XYZ({ url, maxZoom, attributions, wrapX: false, transition: 0 })
  source.on('tileloaderror', onFailed)
  return new TileLayer({ source })
}
