import type { IrrigationRun, IrrigationSource, IrrigationStep } from '@isotherm/contract/irrigation'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import styles from '../irrigation.module.css'
import { useIrrigationText } from '../irrigation-text.ts'
import { irrigationCalls, useIrrigationChange } from '../queries.ts'

/** A step that is under way: time left, flow against the expectation, water. */
function OpenStep({ source, step }: { readonly source: IrrigationSource; readonly step: IrrigationStep }) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const text = useIrrigationText()
  const now = useNow()
  const { openedMs, closeDueMs, nowM3H, expected: learned } = step
  const flowM3H = learned?.flowM3H ?? step.flowM3H
  const total = (closeDueMs ?? 0) - (openedMs ?? 0)
  const share = total > 0 ? Math.min(1, Math.max(0, (now - (openedMs ?? 0)) / total)) : 0
  const expected = format.number(flowM3H, 1)
  return (
    <div className={styles.stack} data-testid="irrigation-step" data-state={step.state}>
      <div className={`${styles.line} ${styles.between}`}>
        <span>
          <strong>{text.groupName(source, step.groupId)}</strong> · {t(`step.${step.state}`)}
          {step.finding && <span className={styles.alarm}> · {t(`finding.${step.finding}`)}</span>}
        </span>
        {closeDueMs !== undefined && step.state !== 'closing' && (
          <span>{t('left', { minutes: text.duration((closeDueMs - now) / 1000) })}</span>
        )}
      </div>
      <div className={styles.bar} aria-hidden>
        <span style={{ width: `${100 * share}%` }} />
      </div>
      <div className={`${styles.line} ${styles.between}`}>
        <small data-testid="irrigation-flow">
          {nowM3H === undefined
            ? t('flowExpected', { expected })
            : t('flowOf', { now: format.number(nowM3H, 1), expected })}
          {learned && learned.learnedFrom > 0 && ` · ${t('learnedFrom', { count: learned.learnedFrom })}`}
        </small>
        <small>{text.volume(step.volumeM3)}</small>
      </div>
      <small className={styles.hint}>
        {step.valveIds.map((id) => text.valveName(source, id)).join(' · ')}
      </small>
    </div>
  )
}

/** A run under way, with what can be done about it. */
export function RunNow({ source, run }: { readonly source: IrrigationSource; readonly run: IrrigationRun }) {
  const { t } = useTranslation('irrigation')
  const text = useIrrigationText()
  const change = useIrrigationChange(irrigationCalls.changeRun)
  const waiting = text.waiting(run, source, useNow())
  const mayRun = source.abilities.includes('run')
  const open = run.steps.filter(({ state }) => !['pending', 'closed', 'skipped'].includes(state))
  const over = run.steps.filter(({ state }) => ['closed', 'skipped'].includes(state)).length
  const pending = run.steps.filter(({ state }) => state === 'pending')
  const coming = [...new Set(pending.map(({ groupId }) => text.groupName(source, groupId)))]
  const act = (event: 'pause' | 'resume' | 'stop') => change.mutate({ runId: run.id, event })
  return (
    <section className={styles.run} data-testid="irrigation-run" data-state={run.state}>
      <div className={`${styles.line} ${styles.between}`}>
        <h3>
          {run.programId === undefined ? `${t('single')} · ${run.name}` : run.name} ·{' '}
          {t(`state.${run.state}`)} · {over}/{run.steps.length}
        </h3>
        {mayRun && (
          <span className={styles.line}>
            {run.state === 'running' && (
              <Button size="small" data-testid="irrigation-pause" onClick={() => act('pause')}>
                {t('pause')}
              </Button>
            )}
            {run.state === 'paused' && source.halt === undefined && (
              <Button size="small" data-testid="irrigation-resume" onClick={() => act('resume')}>
                {t('resume')}
              </Button>
            )}
            {(run.state === 'running' || run.state === 'paused') && (
              <Button size="small" danger data-testid="irrigation-stop" onClick={() => act('stop')}>
                {t('stop')}
              </Button>
            )}
          </span>
        )}
      </div>
      {run.pausedFor && (
        <small className={styles.alarm} data-testid="irrigation-paused-for">
          {t(`pausedFor.${run.pausedFor}`)}
        </small>
      )}
      {waiting !== undefined && (
        <small data-testid="irrigation-waiting">
          {[waiting, ...run.conflicts.map((conflict) => text.conflict(source, conflict))].join(' · ')}
        </small>
      )}
      {open.map((step) => (
        <OpenStep key={step.id} source={source} step={step} />
      ))}
      {coming.length > 0 && (
        <small className={styles.hint} data-testid="irrigation-then">
          {t(open.length > 0 ? 'follows' : 'waits', { groups: coming.join(' → ') })}
        </small>
      )}
    </section>
  )
}
