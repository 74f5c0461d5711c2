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
