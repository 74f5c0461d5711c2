import { saveFile } from '../../../shared/ui/save-file.ts'
import type { ChartLine } from './chart-option.ts'

const LINE_PX = 20
const MARGIN_PX = 12
const SAMPLE_PX = 24

/** Saves the drawn chart with the names of its curves below it as a PNG file. */
export function savePicture(
  drawn: HTMLCanvasElement,
  lines: readonly Pick<ChartLine, 'name' | 'color'>[],
  { paper, text }: { readonly paper: string; readonly text: string },
): void {
  const scale = drawn.width / drawn.clientWidth
  const picture = document.createElement('canvas')
  picture.width = drawn.width
  picture.height = drawn.height + (lines.length * LINE_PX + MARGIN_PX) * scale
  const brush = picture.getContext('2d')
  if (!brush) return
  brush.fillStyle = paper
  brush.fillRect(0, 0, picture.width, picture.height)
  brush.drawImage(drawn, 0, 0)
  brush.scale(scale, scale)
  brush.font = '12px sans-serif'
  for (const [at, { name, color }] of lines.entries()) {
    const y = drawn.clientHeight + at * LINE_PX
    brush.fillStyle = color
    brush.fillRect(MARGIN_PX, y + LINE_PX / 2 - 1, SAMPLE_PX, 2)
    brush.fillStyle = text
    brush.fillText(name, MARGIN_PX * 2 + SAMPLE_PX, y + LINE_PX / 2 + 4)
  }
  picture.toBlob((content) => content && saveFile({ name: 'isotherm-history.png', content }))
}
