import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { renderPart } from '../../../../shared/testing/render-part.testkit.tsx'
import { sampleCampaign, sampleMember } from '../campaign-samples.testkit.ts'
import { MemberCards } from '../members/member-cards.tsx'
import { RoomTable } from './room-table.tsx'

const measured = sampleMember(1, {
  before: { openingPct: 40, roomC: 19, roomSource: 'measured', rooms: 3, coldRooms: 1 },
  expected: { openingPct: 50, roomC: 20, roomSource: 'measured', rooms: 3, coldRooms: 0 },
})
const estimated = sampleMember(2, {
  before: { openingPct: 40, roomC: 22, roomSource: 'estimated' },
  expected: { openingPct: 50, roomC: 21, roomSource: 'estimated' },
})
const members = [measured, estimated]

describe.each([
  ['zh', '估算'],
  ['en', 'estimated'],
] as const)('a room temperature that is not measured, in %s', (language, mark) => {
  test('is marked in the table of buildings, and a measured one is not', async () => {
    await renderPart(<RoomTable campaign={sampleCampaign({ members })} />, { language })
    const rows = screen.getAllByRole('row').filter((row) => row.textContent?.includes('°C'))
    const marked = rows.filter((row) => within(row).queryByTestId('room-estimated') !== null)
    expect(marked).toHaveLength(1)
    expect(marked[0]?.textContent).toContain('22.0')
    expect(screen.getByTestId('room-estimated').textContent).toBe(mark)
  })

  test('is marked at its valve, and a measured one is not', async () => {
    await renderPart(<MemberCards members={members} />, { language })
    expect(within(screen.getByTestId('member-2')).getByTestId('room-estimated').textContent).toBe(mark)
    expect(within(screen.getByTestId('member-1')).queryByTestId('room-estimated')).toBeNull()
  })
})
