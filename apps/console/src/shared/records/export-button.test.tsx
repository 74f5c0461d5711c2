import { addUserOp } from '@isotherm/contract/endpoints/administration/operations'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useNotices } from '../notices/notices.ts'
import { catchDownloads } from '../testing/catch-downloads.testkit.ts'
import { startFakeApi } from '../testing/fake-api.testkit.ts'
import { renderPart } from '../testing/render-part.testkit.tsx'
import { ExportButton } from './export-button.tsx'

interface Row {
  readonly name: string
}

const columns = [{ key: 'name', title: '名称', widthPx: 100, value: ({ name }: Row) => name, render: String }]

async function pressExport(loadRows: () => Promise<readonly Row[]>) {
  const api = startFakeApi()
  api.answer(addUserOp, {})
  const saved = catchDownloads()
  const { user } = await renderPart(
    <ExportButton<Row> name="things" columns={columns} isEmpty={false} loadRows={loadRows} />,
    { address: '/sys/things?q=a' },
  )
  await user.click(screen.getByTestId('record-export'))
  return { api, saved }
}

test('an export has all rows that the loader returns, and is recorded with its page and file', async () => {
  const { api, saved } = await pressExport(async () => [{ name: '甲' }, { name: '乙' }])
  await waitFor(() => expect(api.calls(addUserOp)).toHaveLength(1))
  expect(api.calls(addUserOp)[0]).toMatchObject({ kind: 'export', path: '/sys/things', title: 'things.csv' })
  expect(await saved[0]?.content.text()).toContain('名称\r\n甲\r\n乙\r\n')
})

test('a failed export saves and records nothing, and states the reason', async () => {
  const { api, saved } = await pressExport(() => Promise.reject(new Error('服务器忙')))
  await waitFor(() => expect(useNotices.getState().notices.map(({ text }) => text)).toContain('服务器忙'))
  expect(saved).toEqual([])
  expect(api.calls(addUserOp)).toEqual([])
})
