import type { ControlLimits } from '@isotherm/contract/command'
import { setControlLimits } from '@isotherm/contract/endpoints/control/valve-holds'
import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { useNotices } from '../../../shared/notices/notices.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { limitsKey } from './limit-queries.ts'
import { LimitsForm } from './limits-form.tsx'

const node = { key: '4', label: '一号站', nestaddr: '集团,公司,东区,一号站' }
const limits = { minOpeningPct: 20, maxStepPct: 15 }

test('without the ability the form is only a note', async () => {
  await renderPart(<LimitsForm node={node} limits={limits} version={3} maySet={false} />)
  expect(screen.getByText('您可以查看 一号站 的限值，没有修改的权限')).toBeTruthy()
  expect(screen.queryByTestId('save-limits')).toBeNull()
})

test('unchanged limits cannot be saved; a cleared limit is left out of the saved ones', async () => {
  const api = startFakeApi()
  api.answer(setControlLimits, { node: '4', version: 4, abilities: ['set'], minOpeningPct: 20 })
  const { user } = await renderPart(<LimitsForm node={node} limits={limits} version={3} maySet />)
  expect(screen.getByRole('heading', { name: /集团 \/ 公司 \/ 东区 \/ 一号站/ })).toBeTruthy()
  expect(screen.getByTestId('save-limits')).toHaveProperty('disabled', true)
  await user.clear(screen.getByTestId('limit-maxStepPct'))
  await user.click(screen.getByTestId('save-limits'))
  await waitFor(() =>
    expect(api.calls(setControlLimits)).toEqual([{ node: '4', version: 3, minOpeningPct: 20 }]),
  )
})

/** The form with limits that are loaded by `load`, as the drawer loads them. */
function LoadedForm({ load }: { readonly load: () => Promise<{ limits: ControlLimits; version: number }> }) {
  const { data } = useQuery({ queryKey: [...limitsKey, 'test'], queryFn: load })
  return data ? <LimitsForm node={node} {...data} maySet /> : null
}

test('the saved message comes once the saved limits are shown: what is typed after it stays', async () => {
  const api = startFakeApi()
  api.answer(setControlLimits, {
    node: '4',
    version: 4,
    abilities: ['set'],
    minOpeningPct: 30,
    maxStepPct: 15,
  })
  let finish = () => {}
  const reloaded = new Promise<void>((done) => {
    finish = done
  })
  const load = vi
    .fn<() => Promise<{ limits: ControlLimits; version: number }>>()
    .mockResolvedValueOnce({ limits, version: 3 })
    .mockImplementation(async () => {
      await reloaded
      return { limits: { ...limits, minOpeningPct: 30 }, version: 4 }
    })
  const { user } = await renderPart(<LoadedForm load={load} />)
  const field = await screen.findByTestId('limit-minOpeningPct')
  await user.clear(field)
  await user.type(field, '30')
  await user.click(screen.getByTestId('save-limits'))
  await waitFor(() => expect(load).toHaveBeenCalledTimes(2))
  expect(useNotices.getState().notices).toEqual([])
  expect(field).toHaveProperty('readOnly', true)
  finish()
  await waitFor(() => expect(useNotices.getState().notices).toHaveLength(1))
  await waitFor(() => expect(field).toHaveProperty('readOnly', false))
  await user.clear(field)
  expect(field).toHaveProperty('value', '')
  expect(screen.getByTestId('save-limits')).toHaveProperty('disabled', false)
})

/** The form with a button by which another user saves other limits. */
function Form({ version }: { readonly version: number }) {
  const [isChanged, setChanged] = useState(false)
  return (
    <>
      <LimitsForm
        node={node}
        limits={isChanged ? { ...limits, minOpeningPct: 25 } : limits}
        version={isChanged ? version + 1 : version}
        maySet
      />
      <button type="button" onClick={() => setChanged(true)}>
        other user saves
      </button>
    </>
  )
}

test('a change by another user is a conflict and cannot be overwritten before the user decides', async () => {
  startFakeApi()
  const { user } = await renderPart(<Form version={3} />)
  await user.clear(screen.getByTestId('limit-minOpeningPct'))
  await user.type(screen.getByTestId('limit-minOpeningPct'), '30')
  expect(screen.queryByTestId('limits-conflict')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'other user saves' }))
  expect(screen.getByTestId('limits-conflict')).toBeTruthy()
  expect(screen.getByTestId('save-limits')).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('button', { name: '采用现有的' }))
  expect(screen.queryByTestId('limits-conflict')).toBeNull()
  expect(screen.getByTestId('limit-minOpeningPct')).toHaveProperty('value', '25')
})
