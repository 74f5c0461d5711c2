import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { showNotice } from '../../shared/notices/notices.ts'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import { Notices } from './notices.tsx'

test('an error is shown once, however often it happens', async () => {
  await renderPart(<Notices />)
  act(() => showNotice('error', '网络连接失败'))
  act(() => showNotice('error', '网络连接失败'))
  expect(await screen.findAllByText('网络连接失败')).toHaveLength(1)
})

test('many different errors become one message with their number and the newest text', async () => {
  await renderPart(<Notices />)
  for (const text of ['甲失败', '乙失败', '丙失败']) act(() => showNotice('error', text))
  expect(await screen.findByText('3 项失败，最近：丙失败')).toBeTruthy()
})

test('a message disappears after its duration', async () => {
  await renderPart(<Notices />)
  act(() => showNotice('warning', '获取分组错误', 1))
  expect(await screen.findByText('获取分组错误')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('获取分组错误')).toBeNull(), { timeout: 3_000 })
})
