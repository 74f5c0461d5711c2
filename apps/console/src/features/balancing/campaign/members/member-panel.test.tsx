import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { renderPart } from '../../../../shared/testing/render-part.testkit.tsx'
import { sampleCampaign, sampleMember } from '../campaign-samples.testkit.ts'
import { ShortfallNote } from '../parts/shortfall-note.tsx'
import { MemberCards } from './member-cards.tsx'
import { MemberPanel } from './member-panel.tsx'

describe('the valves of a plan', () => {
  test('are counted by what happens to them', async () => {
    await renderPart(<MemberPanel campaign={sampleCampaign()} />)
    const chips = screen.getAllByTestId(/^members-/).map((each) => each.textContent)
    expect(chips).toEqual(['调节 2', '不参与 1', '全部 3'])
  })

  test('an excluded valve states its reason, and shows no change of its opening', async () => {
    await renderPart(<MemberCards members={[sampleMember(3, { excluded: 'absent' })]} />)
    expect(screen.getByText('设备失联')).toBeTruthy()
  })

  test('a valve that an aborted attempt blames, and a dead meter, are named', async () => {
    const members = [
      sampleMember(1, { excluded: 'starved-before' }),
      sampleMember(2, { excluded: 'unanswered-before' }),
      sampleMember(3, { meter: 'dead' }),
    ]
    await renderPart(<MemberCards members={members} />)
    expect(screen.getByText('上次中止时流量不足，14 天内不参与')).toBeTruthy()
    expect(screen.getByText('上次中止时未应答，14 天内不参与')).toBeTruthy()
    expect(screen.getByText('热量表无流量但回水是热的：流量按未测量处理')).toBeTruthy()
  })

  test('an area that is not recorded states its source', async () => {
    await renderPart(<MemberCards members={[sampleMember(1, { areaFrom: 'heat' }), sampleMember(2)]} />)
    expect(screen.getAllByText(/^供热面积由/).map((each) => each.textContent)).toEqual(['供热面积由热量推算'])
  })

  test('a predicted return is shown with its interval', async () => {
    const expected = { openingPct: 50, flowM3H: 2.4, returnC: 37, returnLowC: 36.2, returnHighC: 37.9 }
    await renderPart(<MemberCards members={[sampleMember(1, { expected })]} />)
    await waitFor(() => expect(document.body.textContent).toContain('38.0 → 37.0'))
    expect(screen.getByTitle('80% 区间').textContent).toBe('（36.2–37.9）')
  })
})

test('a draft that needs more flow than the pump delivers states the share', async () => {
  const { station } = sampleCampaign()
  const members = [sampleMember(1, { targetFlowM3H: 8 }), sampleMember(2, { targetFlowM3H: 8 })]
  await renderPart(<ShortfallNote campaign={sampleCampaign({ members, ...(station && { station }) })} />)
  expect(screen.queryByTestId('campaign-shortfall')).not.toBeNull()
})
