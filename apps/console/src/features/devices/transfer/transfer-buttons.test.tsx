import { addUserOp } from '@isotherm/contract/endpoints/administration/operations'
import {
  cancelTransfer,
  downloadFailed,
  excelAdd,
  exportCompany,
  getTransferCauses,
  getTransfers,
  uploadTransfer,
} from '@isotherm/contract/endpoints/devices/transfer'
import { getCompanies } from '@isotherm/contract/endpoints/network/organisations'
import type { Transfer } from '@isotherm/contract/transfer'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { clearTreeSelection, useTreeSelection } from '../../../shared/nodes/tree-selection.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { TransferButtons } from './transfer-buttons.tsx'

const transfer = (over: Partial<Transfer> = {}): Transfer => ({
  id: 3,
  kind: 'registry',
  version: 1,
  state: 'uploaded',
  done: 0,
  total: 0,
  failed: 0,
  fileName: '设备.xlsx',
  sizeBytes: 2,
  dryRun: true,
  added: 0,
  changed: 0,
  unchanged: 0,
  createdAt: 1_763_683_200_000,
  abilities: ['check', 'import', 'cancel'],
  ...over,
})

const checked = transfer({ version: 3, state: 'checked', done: 185, total: 185, added: 3, failed: 182 })

async function openImport(recent: readonly Transfer[] = []) {
  clearTreeSelection()
  const api = startFakeApi()
  api.answer(getTransfers, { datalist: [...recent], total: recent.length })
  const onImported = vi.fn()
  const view = await renderPart(<TransferButtons onImported={onImported} />, { address: '/dev/fmdevmanager' })
  await view.user.click(screen.getByTestId('transfer-open'))
  return { api, onImported, ...view }
}

async function chooseFile() {
  const area = await screen.findByTestId('transfer-file')
  const input = area.querySelector('input') ?? area.parentElement?.querySelector('input')
  fireEvent.change(input ?? area, { target: { files: [new File(['PK'], '设备.xlsx')] } })
}

test('a workbook is checked first; its failures are grouped by cause; then the valid rows are imported', async () => {
  const { api, user, onImported } = await openImport()
  api.answer(uploadTransfer, transfer())
  api.answer(getTransfers, { datalist: [transfer()], total: 1 })
  await chooseFile()
  const check = await screen.findByTestId('transfer-check')
  await waitFor(() => expect(api.calls(getTransfers).at(-1)?.transferId).toBe(3))
  api.answer(excelAdd, transfer({ version: 2, state: 'checking', total: 185, done: 40 }))
  api.answer(getTransfers, {
    datalist: [transfer({ version: 2, state: 'checking', total: 185, done: 40 })],
    total: 1,
  })
  await user.click(check)
  expect(await screen.findByText('40 / 185 行')).toBeTruthy()
  const cause = {
    sheet: 'devices',
    rows: 182,
    reason: '没有此集中器：C-1',
    isSame: false,
    first: [2, 3],
  } as const
  api.answer(getTransferCauses, { datalist: [{ ...cause, first: [2, 3] }] })
  api.answer(getTransfers, { datalist: [checked], total: 1 })
  expect(await screen.findByText('没有此集中器：C-1（及同类原因）')).toBeTruthy()
  expect(screen.getByTestId('transfer-verdicts').textContent).toBe('新增3修改0不变0失败182')
  expect(screen.getByTestId('transfer-causes').textContent).toContain('设备，第 2, 3 … 行')
  const done = transfer({
    version: 5,
    state: 'done',
    done: 3,
    total: 3,
    added: 3,
    failed: 182,
    abilities: [],
  })
  api.answer(excelAdd, done)
  await user.click(screen.getByTestId('transfer-import'))
  await waitFor(() => expect(onImported).toHaveBeenCalled())
  expect(api.calls(excelAdd)).toEqual([
    { transferId: 3, version: 1, dryRun: true },
    { transferId: 3, version: 3, dryRun: false },
  ])
  expect(screen.getByTestId('transfer-failed')).toBeTruthy()
})

test('a file that is no workbook is refused with its reason', async () => {
  const { api } = await openImport()
  api.refuse(uploadTransfer, { code: 'transfer.unreadable', text: '文件无法读取：xlsx' })
  await chooseFile()
  expect(await screen.findByText('文件无法读取：xlsx')).toBeTruthy()
})

test('an import that was left is continued from the list of recent ones', async () => {
  const { api, user } = await openImport([checked])
  api.answer(getTransferCauses, { datalist: [] })
  await user.click(await screen.findByTestId('transfer-3'))
  expect((await screen.findByTestId('transfer')).dataset.state).toBe('checked')
  expect(screen.getByTestId('transfer-import').textContent).toContain('导入 3 行')
})

test('a running import can be cancelled', async () => {
  const importing = transfer({ version: 4, state: 'importing', total: 10, done: 5, abilities: ['cancel'] })
  const { api, user } = await openImport([importing])
  api.answer(cancelTransfer, transfer({ version: 5, state: 'cancelled', abilities: [] }))
  await user.click(await screen.findByTestId('transfer-3'))
  api.answer(getTransfers, {
    datalist: [transfer({ version: 5, state: 'cancelled', abilities: [] })],
    total: 1,
  })
  await user.click(await screen.findByText('取消导入'))
  await waitFor(() => expect(screen.getByTestId('transfer').dataset.state).toBe('cancelled'))
  expect(api.calls(cancelTransfer)).toEqual([{ transferId: 3, version: 4 }])
})

test('staff of the provider choose the company of the import', async () => {
  const { api, user } = await openImport([transfer()])
  const company = { id: 8, tenant: 'a', name: '甲公司', timeZone: 'Asia/Shanghai', version: 1 } as const
  api.answer(getCompanies, { datalist: [{ ...company, abilities: [] }], total: 1 })
  api.refuse(excelAdd, { code: 'transfer.which-company', text: '请选择公司' })
  await user.click(await screen.findByTestId('transfer-3'))
  await user.click(await screen.findByTestId('transfer-check'))
  fireEvent.mouseDown((await screen.findByTestId('transfer-company')).firstElementChild ?? document.body)
  await user.click(await screen.findByTitle('甲公司'))
  api.answer(excelAdd, checked)
  await user.click(screen.getByTestId('transfer-check'))
  await waitFor(() => expect(api.calls(excelAdd).at(-1)).toMatchObject({ companyId: 8, dryRun: true }))
})

test('the export is that of the one selected node, and a refusal is shown', async () => {
  clearTreeSelection()
  const api = startFakeApi()
  api.answer(addUserOp, {})
  api.refuse(exportCompany, { code: 'transfer.too-many-rows', text: '行数过多' })
  const { user } = await renderPart(<TransferButtons onImported={vi.fn()} />)
  useTreeSelection.setState({ covering: ['7'] })
  await user.click(screen.getByTestId('transfer-export'))
  await waitFor(() => expect(api.calls(exportCompany)).toEqual([{ node: '7' }]))
  useTreeSelection.setState({ covering: ['7', '8'] })
  await user.click(screen.getByTestId('transfer-export'))
  await waitFor(() => expect(api.calls(exportCompany)).toHaveLength(2))
  expect(api.calls(exportCompany)[1]).toEqual({})
  expect(api.calls(addUserOp)).toEqual([])
  expect(api.calls(downloadFailed)).toEqual([])
})
