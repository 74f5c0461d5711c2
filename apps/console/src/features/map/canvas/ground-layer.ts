import TileLayer from 'ol/layer/Tile.js'
import XYZ from 'ol/source/XYZ.js'

/** Pictures of streets below the network. */
export interface BaseTiles {
  /** Address of one with {z}, {x} and {y} in it. */
  readonly url: string
  readonly attribution: string
  readonly maxZoom: number
}

/** The pictures, as they are and at once; `onFailed` hears of each that does not come. */
export function createGroundLayer({ url, attribution, maxZoom }: BaseTiles, onFailed: () => void) {
  const attributions = attribution === '' ? [] : [attribution]
  const source = new XYZ({ url, maxZoom, attributions, wrapX: false, transition: 0 })
  source.on('tileloaderror', onFailed)
  return new TileLayer({ source })
}
