import { identifiers } from '@isotherm/codecs/cjt188/identifiers'
import { listLayouts } from '@isotherm/codecs/cjt188/layouts'
import { toMediumName } from '@isotherm/codecs/mbus/header'
import { alternateTable } from '@isotherm/codecs/mbus/vif-alternate-table'
import { mainTable, secondLevelTable } from '@isotherm/codecs/mbus/vif-main-table'
import { primaryTable } from '@isotherm/codecs/mbus/vif-primary-table'
import { expect, test } from 'vitest'
import { framesZh } from '../locales/frames.zh.ts'

test('every quantity of M-Bus, every medium and every field of CJ/T 188 has a name', () => {
  const quantities = [primaryTable, mainTable, secondLevelTable, alternateTable].flatMap((table) =>
    table.flatMap((vif) => vif?.quantity ?? []),
  )
  const fields = Object.values(identifiers).flatMap((identifier) =>
    (['heat', 'water'] as const).flatMap((kind) =>
      [5, 15, 23].flatMap((bytes) =>
        (listLayouts(identifier, kind, bytes, { firstEnergy: 'cooling' }) ?? []).flatMap((layout) =>
          layout.fields.map(({ name }) => name),
        ),
      ),
    ),
  )
  const unnamed = [...quantities, ...fields].filter((name) => !Object.hasOwn(framesZh.field, name))
  expect([...new Set(unnamed)]).toEqual([])
  const media = Array.from({ length: 256 }, (_, medium) => toMediumName(medium))
  expect(media.filter((name) => !Object.hasOwn(framesZh.code, name))).toEqual([])
})
