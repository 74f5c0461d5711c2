import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { NOW, sampleCommand } from '../../../shared/devices/valve-samples.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { StepLine } from './step-line.tsx'

test('a confirmed command shows all steps as reached and no failure', async () => {
  const reached = { queued: NOW, sent: NOW + 1, accepted: NOW + 2, done: NOW + 3, confirmed: NOW + 4 }
  await renderPart(<StepLine command={sampleCommand({ state: 'confirmed', reached })} />)
  expect(screen.getAllByRole('listitem').map((item) => item.dataset.status)).toEqual(Array(5).fill('reached'))
  expect(screen.queryByRole('status')).toBeNull()
})

test.each([
  ['failed', 423, '阀门被锁定或处于手动 (423)'],
  ['failed', 555, '设备返回代码 555'],
  ['expired', 0, '有效期内设备没有执行'],
  ['unknown', 0, '设备回复已执行，但尚无读数证实'],
] as const)('a command that ended %s with code %i explains it: %s', async (state, resultCode, text) => {
  await renderPart(<StepLine command={sampleCommand({ state, resultCode })} />)
  expect(screen.getByRole('status').textContent).toBe(text)
})

test('the next step of a queued command is shown as waiting', async () => {
  await renderPart(<StepLine command={sampleCommand()} />, { language: 'en' })
  expect(screen.getByText('waiting').closest('li')?.dataset.state).toBe('sent')
})
