import { getMapBase } from '@isotherm/contract/endpoints/network/map'
import { useQuery } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { baseQuery } from './place-queries.ts'

function Files() {
  const { data } = useQuery(baseQuery())
  return <p>{data?.ground.refused.map(({ file }) => file).join(' ')}</p>
}

function Page() {
  const [isOpen, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        toggle
      </button>
      {isOpen && <Files />}
    </>
  )
}

test('the map files are read each time the map is opened', async () => {
  const api = startFakeApi()
  const answer = (file: string) =>
    api.answer(getMapBase, { tiles: null, ground: { files: [], refused: [{ file, fault: 'empty' }] } })
  answer('old.geojson')
  const { user } = await renderPart(<Page />)
  await screen.findByText('old.geojson')
  answer('new.geojson')
  await user.click(screen.getByRole('button'))
  await user.click(screen.getByRole('button'))
  expect(await screen.findByText('new.geojson')).toBeDefined()
})
