import type { RefusedGroundFile } from '@isotherm/contract/network/map-ground'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { GroundNotice } from './ground-notice.tsx'

const listRefused = (count: number): RefusedGroundFile[] =>
  Array.from({ length: count }, (_, index) => ({ file: `${index}.geojson`, fault: 'empty' }))

const renderNotice = (refused: readonly RefusedGroundFile[], lostFiles: readonly string[] = []) =>
  renderPart(<GroundNotice refused={refused} lostFiles={lostFiles} />, { language: 'en' })

test('twenty files that are not shown are one notice, which has the reason of each and can be closed', async () => {
  const { user } = await renderNotice(listRefused(19), ['town.pmtiles'])
  expect(screen.getByRole('status').textContent).toContain('Map files that are not shown: 20')
  expect(screen.getAllByRole('listitem', { hidden: true })[0]?.textContent).toContain('0.geojson')
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('status')).toBeNull()
})

test('a single file has its reason in the notice; without any there is none', async () => {
  const { unmount } = await renderNotice(listRefused(1))
  expect(screen.getByRole('status').textContent).toContain('0.geojson is not shown: nothing is in it')
  unmount()
  await renderNotice([])
  expect(screen.queryByRole('status')).toBeNull()
})
