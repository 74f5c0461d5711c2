import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { CountsStrip } from './counts-strip.tsx'
import { HandleForm } from './handle-form.tsx'

async function renderForm(isEmpty = false) {
  const onUpdate = vi.fn()
  const view = await renderPart(
    <HandleForm
      intro="3"
      submit="send"
      isEmpty={isEmpty}
      busy={false}
      error={null}
      onUpdate={onUpdate}
      onClose={vi.fn()}
    />,
  )
  return { onUpdate, ...view }
}
const isDisabled = () => screen.getByTestId('handle-submit').matches(':disabled')

test('alarms are acknowledged by default; without any change nothing can be sent', async () => {
  const { onUpdate, user } = await renderForm()
  await user.click(screen.getByTestId('handle-submit'))
  expect(onUpdate).toHaveBeenCalledWith({ acknowledge: true })
  await user.click(screen.getByLabelText('确认：我已知晓'))
  expect(isDisabled()).toBe(true)
})

test('without matching alarms nothing can be sent', async () => {
  await renderForm(true)
  expect(isDisabled()).toBe(true)
})

test('another assignee needs an account', async () => {
  const { onUpdate, user } = await renderForm()
  await user.click(screen.getByText('其他人'))
  expect(isDisabled()).toBe(true)
  await user.type(screen.getByLabelText('账号'), ' maintenance ')
  await user.click(screen.getByTestId('handle-submit'))
  expect(onUpdate).toHaveBeenCalledWith({ acknowledge: true, assignee: 'maintenance' })
})

test('a figure shows its unacknowledged alarms and toggles the filter of its severity', async () => {
  const onChoose = vi.fn()
  const counts = {
    bySeverity: [
      { severity: 'critical' as const, active: 2, unacknowledged: 1, total: 3 },
      { severity: 'minor' as const, active: 0, unacknowledged: 0, total: 0 },
    ],
    suppressed: 0,
    silenced: 0,
  }
  const { user } = await renderPart(<CountsStrip counts={counts} chosen={['minor']} onChoose={onChoose} />)
  expect(screen.getByTestId('count-critical').textContent).toContain('1 未确认')
  expect(screen.getByTestId('count-minor').textContent).toContain('无')
  await user.click(screen.getByTestId('count-critical'))
  await user.click(screen.getByTestId('count-minor'))
  expect(onChoose.mock.calls).toEqual([[['minor', 'critical']], [[]]])
})
