import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toAntTheme } from './theme.ts'

/** Tokens of antd and CSS variables of our elements that must have the same colour. */
const pairs = {
  colorPrimary: '--accent',
  colorSuccess: '--good',
  colorSuccessBg: '--good-soft',
  colorWarning: '--caution',
  colorWarningBg: '--caution-soft',
  colorError: '--alarm',
  colorErrorBg: '--alarm-soft',
  colorInfo: '--accent',
  colorInfoBg: '--accent-soft',
} as const

describe('antd’s controls and our elements have the same colours', () => {
  test.each([
    ['light', 0],
    ['dark', 1],
  ] as const)('%s', async (mode, place) => {
    const css = await readFile(join(import.meta.dirname, 'theme.css'), 'utf8')
    const { token } = toAntTheme(mode === 'dark', true)
    for (const [name, variable] of Object.entries(pairs)) {
      const values = [...css.matchAll(new RegExp(`${variable}: (#[0-9a-f]{6});`, 'g'))].map(([, hex]) => hex)
      expect(values, variable).toHaveLength(2)
      expect(token, variable).toMatchObject({ [name]: values[place] })
    }
  })
})

test('the -rgb variables of theme.css and of what is printed repeat the colours beside them', async () => {
  const printed = '../shared/print/printed.module.css'
  for (const path of ['theme.css', printed]) {
    const css = await readFile(join(import.meta.dirname, path), 'utf8')
    const copies = [
      ...css.matchAll(/--(?<name>[a-z]+): (?<hex>#[0-9a-f]+);\s+--\k<name>-rgb: (?<rgb>[\d, ]+);/g),
    ]
    expect(copies.length, path).toBe([...css.matchAll(/-rgb: /g)].length)
    expect(copies.length, path).toBeGreaterThan(0)
    for (const { groups: { hex = '', rgb = '' } = {} } of copies) {
      const digits = hex.length === 4 ? hex.slice(1).replaceAll(/./g, '$&$&') : hex.slice(1)
      expect(rgb, hex).toBe([0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)).join(', '))
    }
  }
})
