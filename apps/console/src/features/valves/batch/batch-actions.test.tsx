import {
  cancelCtlBatch,
  pauseCtlBatch,
  retryCtlBatch,
} from '@isotherm/contract/endpoints/control/command-batches'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { sampleBatch } from '../../../shared/devices/valve-samples.testkit.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { BatchActions } from './batch-actions.tsx'

test('only the actions that the server allows are offered', async () => {
  await renderPart(<BatchActions batch={sampleBatch({ abilities: ['resume'] })} onBatch={vi.fn()} />)
  expect(screen.getAllByRole('button').map(({ dataset }) => dataset.testid)).toEqual(['batch-resume'])
})

test('without abilities nothing is shown', async () => {
  const { container } = await renderPart(
    <BatchActions batch={sampleBatch({ abilities: [] })} onBatch={vi.fn()} />,
  )
  expect(container.textContent).toBe('')
})

test('a batch is cancelled only after a confirmation', async () => {
  const api = startFakeApi()
  const batch = sampleBatch({ abilities: ['cancel'] })
  api.answer(cancelCtlBatch, { ...batch, state: 'cancelled' })
  const { user } = await renderPart(<BatchActions batch={batch} onBatch={vi.fn()} />)
  await user.click(screen.getByTestId('batch-cancel'))
  expect(await screen.findByText('已下发的会继续执行；撤销后不能恢复')).toBeTruthy()
  expect(api.calls(cancelCtlBatch)).toEqual([])
  const confirm = screen.getAllByRole('button', { name: /撤销未下发的命令/ }).at(-1)
  if (confirm) await user.click(confirm)
  await waitFor(() => expect(api.calls(cancelCtlBatch)).toEqual([{ batchId: batch.id }]))
})

test('a retry shows how many commands failed and opens the new batch', async () => {
  const api = startFakeApi()
  const batch = sampleBatch({ abilities: ['retry'], counts: { confirmed: 1, failed: 1, expired: 1 } })
  api.answer(retryCtlBatch, sampleBatch({ id: 'NEW', retryOf: batch.id }))
  const onBatch = vi.fn()
  const { user } = await renderPart(<BatchActions batch={batch} onBatch={onBatch} />)
  expect(screen.getByTestId('batch-retry').textContent).toContain('（2）')
  await user.click(screen.getByTestId('batch-retry'))
  await waitFor(() => expect(onBatch).toHaveBeenCalledWith('NEW'))
})

test('a refused action shows the reason', async () => {
  const api = startFakeApi()
  api.refuse(pauseCtlBatch, { code: 'command-batch.not-now', text: '该批命令的状态已变化' })
  const { user } = await renderPart(<BatchActions batch={sampleBatch()} onBatch={vi.fn()} />)
  await user.click(screen.getByTestId('batch-pause'))
  expect(await screen.findByText(/该批命令的状态已变化/)).toBeTruthy()
})
