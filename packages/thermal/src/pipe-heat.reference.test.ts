import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { celsius, kilogramPerSecond, metre } from '@isotherm/kernel/quantities'
import { describe, expect, it } from 'vitest'
import { outletTemperature } from './pipe-heat.ts'

/** Published analytic cooling along one pipe (pandapipes), read in place where ISOTHERM_REFERENCE names the folder. */
const file = join(process.env.ISOTHERM_REFERENCE ?? '', 'hydraulics', 'Temperature_one_pipe_an.csv')

describe.skipIf(!process.env.ISOTHERM_REFERENCE || !existsSync(file))(
  'pipe cooling against published values (skipped unless ISOTHERM_REFERENCE names the reference folder)',
  () => {
    it('agrees along 6 km within 0.03 K, the file using a heat capacity of 4182 J/(kg·K)', () => {
      const rows = readFileSync(file, 'utf8')
        .trim()
        .split(/\r?\n/)
        .slice(1)
        .map((line) => line.split(';').map(Number))
      expect(rows.length).toBeGreaterThan(3)
      for (const [
        alpha = 0,
        diameter = 0,
        flow = 0,
        ,
        outside = 0,
        inlet = 0,
        length = 0,
        theirs = 0,
      ] of rows) {
        const ours = outletTemperature(
          celsius(inlet - 273.15),
          celsius(outside - 273.15),
          alpha * Math.PI * diameter,
          metre(length),
          kilogramPerSecond(flow),
        )
        expect(Math.abs(ours + 273.15 - theirs)).toBeLessThan(0.03)
      }
    })
  },
)
