import { type ColourBy, healthFills, toShareFill } from '../colour-by.ts'

/** Colours of the page as the map takes them: it draws by itself and knows no CSS variables. */
export interface MapColours {
  readonly ground: string
  readonly surface: string
  readonly ink: string
  readonly accent: string
  /** Of the least, the middle and the most of what the map is coloured by. */
  readonly ramp: readonly [string, string, string]
  readonly health: typeof healthFills
}

/** Reads colours of CSS as the page has them now. */
function createReader(): { readonly read: (css: string) => string; readonly end: () => void } {
  const probe = document.createElement('i')
  probe.hidden = true
  document.body.append(probe)
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const pixel = canvas.getContext('2d', { willReadFrequently: true })
  return {
    read(css) {
      probe.style.color = css
      const computed = getComputedStyle(probe).color
      if (!pixel) return computed
      // A mixed colour is computed in a notation that only CSS knows.
      pixel.fillStyle = computed
      pixel.fillRect(0, 0, 1, 1)
      const [red, green, blue] = pixel.getImageData(0, 0, 1, 1).data
      return `rgb(${red}, ${green}, ${blue})`
    },
    end: () => probe.remove(),
  }
}

/** The colours of the theme in force for a map that is coloured by something. */
export function readColours(by: ColourBy): MapColours {
  const { read, end } = createReader()
  try {
    return {
      ground: read('var(--ground)'),
      surface: read('var(--surface)'),
      ink: read('var(--ink)'),
      accent: read('var(--accent)'),
      ramp: [read(toShareFill(by, 0)), read(toShareFill(by, 0.5)), read(toShareFill(by, 1))],
      health: {
        good: read(healthFills.good),
        caution: read(healthFills.caution),
        alarm: read(healthFills.alarm),
        none: read(healthFills.none),
      },
    }
  } finally {
    end()
  }
}
