import { quality } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  NOW,
  sampleCommand,
  sampleDevice,
  sampleHold,
  sampleState,
} from '../../../shared/devices/valve-samples.testkit.ts'
import { stubLayout } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { columns } from '../rows/row-query.ts'
import type { ValveRow } from '../rows/valve-row.ts'
import { ValveCards } from './valve-cards.tsx'
import { ValveTable } from './valve-table.tsx'

const row = (over: Partial<ValveRow> = {}): ValveRow => ({
  device: sampleDevice(),
  state: sampleState(),
  command: undefined,
  hold: undefined,
  ...over,
})

const toProps = (rows: readonly ValveRow[], controllable = true) => ({
  rows,
  toCurrentRow: (each: ValveRow) => each,
  selected: new Set<number>(),
  onSelect: vi.fn(),
  onSet: vi.fn(),
  onDetails: vi.fn(),
  onHistory: undefined,
  controllable,
  now: NOW,
})

async function renderTable(rows: readonly ValveRow[], controllable = true) {
  stubLayout()
  const props = toProps(rows, controllable)
  const view = await renderPart(
    <ValveTable {...props} columns={columns} sort="address" descending={false} onSort={vi.fn()} />,
  )
  return { ...props, ...view }
}

test.each([
  ['live', sampleState(), '正常'],
  ['stale', sampleState({ ts: NOW - HOUR_MS }), '数据过期'],
  ['silent', sampleState({ absence: 'silent' }), '失联'],
  ['unknown', sampleState({ absence: 'unknown' }), '状态未知'],
  ['never', undefined, '从未上报'],
] as const)('a row with the trust %s shows it in words', async (trust, state, text) => {
  await renderTable([row({ state })])
  const shown = screen.getByTestId('valve-row-1')
  expect(shown.dataset.trust).toBe(trust)
  expect(within(shown).getByText(text)).toBeTruthy()
})

test('a doubtful value shows its quality flag instead of a general word', async () => {
  await renderTable([row({ state: sampleState({ quality: quality.sensorFault }) })])
  const shown = screen.getByTestId('valve-row-1')
  expect(shown.dataset.trust).toBe('doubtful')
  expect(shown.textContent).toContain('传感器故障')
  expect(shown.textContent).not.toContain('数据可疑')
})

test('a command under way is shown instead of the trust, and a hold with its priority', async () => {
  await renderTable([row({ command: sampleCommand({ state: 'sent' }), hold: sampleHold() })])
  const shown = screen.getByTestId('valve-row-1')
  expect(shown.textContent).toContain('已下发')
  expect(shown.textContent).toContain('手动保持')
  expect(shown.textContent).not.toContain('正常')
})

test('a user who controls no valve sees no checkboxes and no control buttons', async () => {
  await renderTable([row({ device: sampleDevice({ abilities: [] }) })], false)
  expect(screen.queryAllByRole('checkbox')).toEqual([])
  expect(screen.queryByTestId('set-opening-1')).toBeNull()
})

test('only valves that the user may control and that reported can be set', async () => {
  const { onSet, user } = await renderTable([
    row(),
    row({ device: sampleDevice({ id: 2, abilities: [] }) }),
    row({ device: sampleDevice({ id: 3 }), state: undefined }),
  ])
  expect(screen.queryByTestId('set-opening-2')).toBeNull()
  expect(screen.queryByTestId('set-opening-3')).toBeNull()
  await user.click(screen.getByTestId('set-opening-1'))
  expect(onSet).toHaveBeenCalledWith(1)
})

test('a card shows trust and values, and its address opens the details', async () => {
  stubLayout()
  const props = toProps([row({ state: sampleState({ absence: 'silent' }) })])
  const { user } = await renderPart(<ValveCards {...props} />)
  const card = screen.getByTestId('valve-row-1')
  expect(card.textContent).toContain('失联')
  expect(card.textContent).toContain('48.2')
  await user.click(screen.getByTestId('details-1'))
  expect(props.onDetails).toHaveBeenCalledWith(1)
})
