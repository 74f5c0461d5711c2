import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useNavigate } from 'react-router'
import { expect, test } from 'vitest'
import { renderPart } from '../testing/render-part.testkit.tsx'
import { usePageUrl } from '../url/use-page-url.ts'
import { SearchInput } from './search-input.tsx'

const parse = (search: URLSearchParams) => ({ text: search.get('q') ?? '' })
const toSearch = ({ text }: { readonly text: string }) => new URLSearchParams(text === '' ? {} : { q: text })

let go: ReturnType<typeof useNavigate>

function Page() {
  const [url, change] = usePageUrl(parse, toSearch)
  go = useNavigate()
  return <SearchInput text={url.text} onText={(text) => change({ text })} label="search" testId="search" />
}

const field = () => screen.getByTestId<HTMLInputElement>('search')

test('every typed key reaches the field and the address, even during fast typing', async () => {
  const { address } = await renderPart(<Page />)
  // The next key comes before the router has applied the change of the last one, as on a page with many rows.
  act(() => {
    for (const key of '东苑小区 5-2-301') fireEvent.input(field(), { target: { value: field().value + key } })
  })
  expect(field().value).toBe('东苑小区 5-2-301')
  await waitFor(() => expect(new URLSearchParams(address().slice(2)).get('q')).toBe('东苑小区 5-2-301'))
  expect(field().value).toBe('东苑小区 5-2-301')
})

test('the field shows the text of the address when the address changes for another reason', async () => {
  const { user, address } = await renderPart(<Page />, { address: '/?q=ab' })
  expect(field().value).toBe('ab')
  await user.type(field(), 'c')
  await waitFor(() => expect(address()).toBe('/?q=abc'))
  await act(async () => void go('/?q=ab'))
  await waitFor(() => expect(field().value).toBe('ab'))
  await act(async () => void go('/?q=abc'))
  await waitFor(() => expect(field().value).toBe('abc'))
})
