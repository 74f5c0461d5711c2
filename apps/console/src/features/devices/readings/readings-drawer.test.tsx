import {
  importReadings,
  previewReadings,
  uploadReadings,
} from '@isotherm/contract/endpoints/devices/reading-files'
import { UPLOAD_PART_BYTES } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { getTransfers } from '@isotherm/contract/endpoints/devices/transfer'
import type { Transfer } from '@isotherm/contract/transfer'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import ReadingsDrawer from './readings-drawer.tsx'

const transfer = (over: Partial<Transfer> = {}): Transfer => ({
  id: 3,
  kind: 'readings',
  version: 1,
  state: 'uploaded',
  done: 0,
  total: 0,
  failed: 0,
  fileName: '室温.csv',
  sizeBytes: 2,
  dryRun: true,
  added: 0,
  changed: 0,
  unchanged: 0,
  createdAt: 1_763_683_200_000,
  abilities: ['check', 'import', 'cancel'],
  ...over,
})

async function openDrawer(file: File) {
  const api = startFakeApi()
  api.answer(getTransfers, { datalist: [], total: 0 })
  const view = await renderPart(<ReadingsDrawer isOpen onClose={() => undefined} />)
  const area = await screen.findByTestId('readings-file')
  const input = area.querySelector('input') ?? area.parentElement?.querySelector('input')
  return { api, choose: () => fireEvent.change(input ?? area, { target: { files: [file] } }), ...view }
}

test('a file is uploaded in parts; after a failure the upload continues where it was', async () => {
  const size = UPLOAD_PART_BYTES + 10
  const { api, choose, user } = await openDrawer(new File([new Uint8Array(size)], '室温.csv'))
  let isAway = true
  api.decide(uploadReadings, ({ from }) => {
    if (from === '0') return { data: transfer({ state: 'uploading', abilities: [] }) }
    if (isAway) return { refusal: { code: 'server.unavailable', text: '服务器暂时不可用' } }
    return { data: transfer() }
  })
  choose()
  expect(await screen.findByText('服务器暂时不可用')).toBeTruthy()
  isAway = false
  api.answer(getTransfers, { datalist: [transfer()], total: 1 })
  api.refuse(previewReadings, { code: 'transfer.unreadable', text: '无法读取' })
  await user.click(screen.getByText('继续上传'))
  expect(await screen.findByText('无法读取')).toBeTruthy()
  expect(api.calls(uploadReadings).map(({ from, upload }) => [from, upload])).toEqual([
    ['0', undefined],
    [String(UPLOAD_PART_BYTES), '3'],
    [String(UPLOAD_PART_BYTES), '3'],
  ])
})

test('columns are mapped, and the mapping goes with check and import', async () => {
  const { api, choose, user } = await openDrawer(new File(['a'], '室温.csv'))
  api.answer(uploadReadings, transfer())
  api.answer(getTransfers, { datalist: [transfer()], total: 1 })
  api.answer(previewReadings, {
    sheets: [],
    format: { encoding: 'gb18030', delimiter: ',' },
    headings: ['编号', '时间', '室温'],
    rows: [['R1', '2026-01-02', '20.5']],
    guess: {
      form: 'wide',
      device: { column: 0, by: 'serial' },
      time: { column: 1, order: 'ymd' },
      timeZone: 'Asia/Shanghai',
      values: [{ column: 2, metric: 'temp.room', unit: '°C' }],
    },
  })
  choose()
  await user.click(await screen.findByTestId('readings-mapped'))
  api.answer(importReadings, transfer({ version: 2, state: 'checked', added: 1, total: 1, done: 1 }))
  api.answer(getTransfers, {
    datalist: [transfer({ version: 2, state: 'checked', added: 1, total: 1, done: 1 })],
    total: 1,
  })
  await user.click(await screen.findByTestId('transfer-check'))
  expect((await screen.findByTestId('transfer-import')).textContent).toContain('导入 1 个读数')
  expect(screen.getByTestId('transfer-verdicts').textContent).toBe('新增1不变0失败0')
  await user.click(screen.getByTestId('transfer-import'))
  await waitFor(() => expect(api.calls(importReadings)).toHaveLength(2))
  const mapping = {
    encoding: 'gb18030',
    headings: ['编号', '时间', '室温'],
    values: [{ column: 2, metric: 'temp.room', unit: '°C' }],
  }
  expect(api.calls(importReadings)).toMatchObject([
    { transferId: 3, version: 1, dryRun: true, mapping },
    { transferId: 3, version: 2, dryRun: false, mapping },
  ])
})
