import { getBackups } from '@isotherm/contract/endpoints/administration/backups'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import { BackupNotice } from './backup-notice.tsx'

const well = { datalist: [], total: 0, alarm: null, lastWholeAt: null, versions: [], isReadable: true }

test('administrators read on the home page that a backup is missing, and where its reason is', async () => {
  const api = startFakeApi()
  api.answer(getBackups, { ...well, alarm: 'late', lastWholeAt: Date.now() - 50 * HOUR_MS })
  await renderPart(<BackupNotice />, { permissions: ['ps-interfacesys'], language: 'en' })
  expect((await screen.findByTestId('home-backups')).textContent).toContain('Last whole backup: 2 d ago')
  expect(screen.getByRole('link').getAttribute('href')).toBe('/sys/interfacesys?view=backups')
})

test('other users see no notice, and the backups are not fetched for them', async () => {
  const api = startFakeApi()
  await renderPart(<BackupNotice />, { permissions: ['pe-fmreal'] })
  expect(screen.queryByTestId('home-backups')).toBeNull()
  expect(api.calls(getBackups)).toEqual([])
})
