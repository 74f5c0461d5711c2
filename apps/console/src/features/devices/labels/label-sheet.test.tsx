import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { findInPhoto } from '../../../shared/scan/decode-picture.ts'
import { readCode } from '../../../shared/scan/read-code.ts'
import { readPrinted, stubPictures, takePhoto } from '../../../shared/scan/scan.testkit.ts'
import { sampleDevice } from '../list/device-samples.testkit.ts'
import type { Label } from './label-sheet.tsx'
import { LabelSheet } from './label-sheet.tsx'
import { toDeviceLabel, toPlaceLabels } from './to-label.ts'

/** The text of a printed label, read from a photo. */
async function readLabel(label: Label): Promise<string> {
  stubPictures()
  render(<LabelSheet labels={[label]} paper="roll" />)
  const code = screen.getByTestId('label').querySelector('svg')
  return (code && (await findInPhoto(takePhoto(readPrinted(code))))) ?? ''
}

test('a photo of a printed label names its device', async () => {
  const text = await readLabel(toDeviceLabel(sampleDevice({ id: 102_345 })))
  expect(text).toBe(`${location.origin}/dev/devdebug?id=102345`)
  expect(readCode(text)).toEqual({ kind: 'device', id: 102_345 })
})

const uuid = '0b4c7bf2-1a4f-4f6e-9a55-0a6f3c1d2e3f'
const addrlist = ['1单元', '1单元-301', '1单元-1001', '2单元-101', '3单元']
const nestaddr = '集团,公司,城东,一号站,阳光小区,3号楼'

test('a photo of a printed label of a household names its place', async () => {
  const [label] = toPlaceLabels({ key: uuid, nestaddr }, { uuid, addrlist })
  if (!label) throw new Error('no label')
  expect(readCode(await readLabel(label))).toEqual({ kind: 'place', node: `${uuid}-L2-1单元-301` })
})

test.each([
  ['a building', uuid, nestaddr, ['1单元-301', '1单元-1001', '2单元-101', '3单元']],
  ['a unit', `${uuid}-L1-1单元`, `${nestaddr},1单元`, ['1单元-301', '1单元-1001']],
  ['a household', `${uuid}-L2-2单元-101`, `${nestaddr},2单元,101`, ['2单元-101']],
  ['an empty unit', `${uuid}-L1-3单元`, `${nestaddr},3单元`, ['3单元']],
])('labels of %s are those of its households, with the address of the building', (_, key, address, names) => {
  const labels = toPlaceLabels({ key, nestaddr: address }, { uuid, addrlist })
  expect(labels.map(({ name }) => name)).toEqual(names)
  for (const { place } of labels) expect(place).toBe('一号站 / 阳光小区 / 3号楼')
})
