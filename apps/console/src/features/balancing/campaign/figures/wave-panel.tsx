import { type CampaignDetail, isStepLeft } from '@isotherm/contract/balancing/campaign'
import { Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { useNow } from '../../../../shared/format/use-now.ts'
import { useIsPermitted } from '../../../../shared/session/session-store.ts'
import { Panel } from '../../../../shared/ui/page-frame.tsx'
import styles from '../parts/campaign.module.css'
import { ScrollBox } from '../parts/scroll-box.tsx'
import { findSettleTime } from '../parts/settle-time.ts'
import { useCampaignTexts } from '../parts/use-texts.ts'
import { toWaveTimes } from '../parts/wave-times.ts'

/** Progress of the commands, in total and by wave, and the remaining settling time. */
export function WavePanel({ campaign }: { readonly campaign: CampaignDetail }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const { moves, moved, steps, state } = campaign
  const movedPct = moves > 0 ? Math.floor((100 * Math.min(moved, moves)) / moves) : 100
  return (
    <Panel title={t('campaign.progress.title')}>
      <div className={styles.progress} data-testid="campaign-progress">
        {state !== 'draft' && state !== 'discarded' && (
          <div>
            <span className="num" aria-live="polite">
              {t('campaign.progress.moved', {
                moved: format.number(moved, 0),
                moves: format.number(moves, 0),
              })}
            </span>
            <Progress
              percent={movedPct}
              size="small"
              status={state === 'aborted' ? 'exception' : 'normal'}
              aria-label={t('campaign.progress.title')}
            />
          </div>
        )}
        <SettleLine campaign={campaign} />
        {steps.length === 0 ? (
          <p className={styles.faint}>{t('campaign.progress.none')}</p>
        ) : (
          <WaveTable campaign={campaign} />
        )}
      </div>
    </Panel>
  )
}

/** Countdown to the verification of the campaign. */
function SettleLine({ campaign }: { readonly campaign: CampaignDetail }) {
  const { t } = useTranslation('balancing')
  const texts = useCampaignTexts()
  const now = useNow()
  const settle = findSettleTime(campaign, now)
  if (settle === undefined) return null
  return (
    <div data-testid="campaign-settling">
      <span className="num">
        {t('campaign.progress.settling')} ·{' '}
        {settle.leftMs === 0
          ? t('campaign.progress.due')
          : t('campaign.progress.left', { left: texts.duration(settle.leftMs) })}
      </span>
      <Progress
        percent={Math.floor(100 * settle.share)}
        size="small"
        showInfo={false}
        aria-label={t('campaign.progress.settling')}
      />
    </div>
  )
}

/** The waves in sending order, each with a link to its commands. */
export function WaveTable({ campaign }: { readonly campaign: Pick<CampaignDetail, 'steps' | 'history'> }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const mayOpen = useIsPermitted('pe-fmcontrol')
  const { steps } = campaign
  const times = toWaveTimes(campaign)
  const hasRounds = steps.some(({ round }) => round > 1)
  return (
    <ScrollBox label={t('campaign.progress.title')}>
      <table className={`${styles.table} ${styles.folded}`}>
        <thead>
          <tr>
            <th scope="col">{t('campaign.progress.wave')}</th>
            {hasRounds && <th scope="col">{t('campaign.progress.round')}</th>}
            <th scope="col">{t('campaign.progress.kind')}</th>
            <th scope="col" className={styles.number}>
              {t('campaign.progress.valves')}
            </th>
            <th scope="col" className={styles.number}>
              {t('campaign.progress.unanswered')}
            </th>
            <th scope="col" className={styles.number}>
              {t('campaign.progress.given')}
            </th>
            <th scope="col" data-own-line>
              {t('campaign.progress.state')}
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ round, kind, valves, pump, state, batchId, unanswered }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: waves have no other name and keep their order
            <tr key={index} data-testid={`wave-${index + 1}`} data-state={state}>
              <td>{index + 1}</td>
              {hasRounds && <td>{round}</td>}
              {pump ? (
                <td colSpan={2} data-two>
                  {t(`campaign.step.${kind}`)} → {format.metric('pump.target', pump.toKpa)}
                </td>
              ) : (
                <>
                  <td>{t(`campaign.step.${kind}`)}</td>
                  <td className={styles.number}>{format.number(valves, 0)}</td>
                </>
              )}
              <td className={styles.number} data-tone={unanswered > 0 ? 'alarm' : undefined}>
                {state === 'waiting' ? '' : format.number(unanswered, 0)}
              </td>
              <td className={styles.number}>{times[index] !== undefined && format.time(times[index])}</td>
              <td data-own-line>
                {isStepLeft({ state, batchId })
                  ? t(pump ? 'campaign.progress.pumpLeft' : 'campaign.progress.valvesLeft')
                  : t(`campaign.progress.stepState.${state}`)}{' '}
                {pump?.wantedKpa !== undefined && (
                  <>
                    {t('campaign.progress.headNearest', {
                      head: format.metric('pump.target', pump.wantedKpa),
                    })}{' '}
                  </>
                )}
                {batchId !== undefined && mayOpen && (
                  <Link className={styles.screen} to={`/ewph/fmcontrol?batch=${encodeURIComponent(batchId)}`}>
                    {t('campaign.progress.open')}
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
