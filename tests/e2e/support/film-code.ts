import { writeFileSync } from 'node:fs'
import encodeQR from 'qr'

const WIDTH = 640
const HEIGHT = 480
const MODULE_PX = 8
const QUIET_MODULES = 4

/** Brightness of paper, ink and the wall behind, 0 to 255. */
const [PAPER, INK, WALL] = [230, 30, 120]

/**
 * Writes what the fake camera of Chromium shows from its next start on: a code on paper before a wall, as one frame of raw video in the
 * format YUV4MPEG2. Without a text only the wall.
 */
export function filmCode(file: string, text?: string): void {
  const code =
    text === undefined ? undefined : encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_MODULES })
  const size = (code?.length ?? 0) * MODULE_PX
  const [left, top] = [Math.floor((WIDTH - size) / 2), Math.floor((HEIGHT - size) / 2)]
  const light = Buffer.alloc(WIDTH * HEIGHT, WALL)
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      const isDark = code?.[Math.floor(y / MODULE_PX)]?.[Math.floor(x / MODULE_PX)]
      light[(top + y) * WIDTH + left + x] = isDark ? INK : PAPER
    }
  const colourless = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  const head = `YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\nFRAME\n`
  writeFileSync(file, Buffer.concat([Buffer.from(head), light, colourless]))
}

/** A photo of a code, as a GIF. */
export const photographCode = (text: string): Buffer =>
  Buffer.from(encodeQR(text, 'gif', { ecc: 'medium', border: QUIET_MODULES, scale: MODULE_PX }))
