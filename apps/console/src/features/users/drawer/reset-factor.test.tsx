import { resetSecondFactor } from '@isotherm/contract/endpoints/administration/second-factor'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useNotices } from '../../../shared/notices/notices.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { ResetFactor } from './reset-factor.tsx'

async function open() {
  const api = startFakeApi()
  const onChanged = vi.fn()
  const user = { id: 9, version: 3, account: 'li' }
  const part = await renderPart(<ResetFactor user={user} onChanged={onChanged} />)
  await part.user.click(screen.getByTestId('factor-reset'))
  expect(await screen.findByText('重置 li 的两步验证？')).toBeTruthy()
  const confirm = async () => {
    const [, inQuestion] = screen.getAllByRole('button', { name: '重置两步验证' })
    if (inQuestion) await part.user.click(inQuestion)
  }
  return { api, onChanged, confirm }
}

test('the second factor is reset after a question', async () => {
  const { api, onChanged, confirm } = await open()
  api.answer(resetSecondFactor, { id: 9, account: 'li', version: 4 })
  expect(api.calls(resetSecondFactor)).toEqual([])
  await confirm()
  await waitFor(() => expect(onChanged).toHaveBeenCalled())
  expect(api.calls(resetSecondFactor)).toEqual([{ uid: 9, version: 3 }])
  expect(useNotices.getState().notices.map(({ text }) => text)).toEqual(['li 重置两步验证成功'])
})

test('a refusal stays beside the button', async () => {
  const { api, onChanged, confirm } = await open()
  api.refuse(resetSecondFactor, { code: 'second-factor.off', text: '两步验证未开启' })
  await confirm()
  expect(await screen.findByText('li 失败原因：两步验证未开启')).toBeTruthy()
  expect(onChanged).not.toHaveBeenCalled()
})
