import type { LineScan } from '@isotherm/contract/endpoints/devices/line-scans'
import { Button, Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from './scan.module.css'

/** Whether a search waits for its gateway or searches. */
export const isGoingOn = ({ outcome }: LineScan): boolean => outcome === 'waiting' || outcome === 'searching'

/** A gateway that lost its connection may still search the line, and refuses other searches of it. */
const mayBeStopped = (scan: LineScan): boolean =>
  isGoingOn(scan) || scan.outcome === 'gateway-silent' || scan.outcome === 'busy'

interface ScanStateProps {
  readonly scan: LineScan
  readonly isStopping: boolean
  readonly onStop: () => void
}

/** State or result of a search, with its progress and the button that stops it. */
export function ScanState({ scan, isStopping, onStop }: ScanStateProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const { line, method, outcome, progress, actor, startedAt, code } = scan
  const { requested, of, found, known, collisions } = progress
  const goesOn = isGoingOn(scan)
  const percent = of === 0 ? 0 : Math.floor((100 * requested) / of)
  const isGood = goesOn || outcome === 'done' || outcome === 'stopped'
  return (
    <div className={styles.scan} data-testid={`scan-${line}`} data-outcome={outcome}>
      <div className={styles.bar}>
        <strong>{line}</strong>
        <span>{t(`scan.methods.${method}`)}</span>
        {isGood ? (
          <span>{t(`scan.outcome.${outcome}`, { code: code ?? 0 })}</span>
        ) : (
          <span className={styles.wrong}>{t(`scan.outcome.${outcome}`, { code: code ?? 0 })}</span>
        )}
        {mayBeStopped(scan) && (
          <Button size="small" loading={isStopping} data-testid={`scan-stop-${line}`} onClick={onStop}>
            {t('scan.stop')}
          </Button>
        )}
      </div>
      {outcome === 'searching' && <Progress size="small" percent={percent} />}
      {requested > 0 && (
        <span>
          {t('scan.found', { found: format.number(found, 0), known: format.number(known, 0) })} ·{' '}
          {t('scan.requested', { requested: format.number(requested, 0), of: format.number(of, 0) })}
        </span>
      )}
      {collisions > 0 && (
        <span className={styles.wrong}>
          {method === 'cjt188'
            ? t('scan.several')
            : t('scan.collisions', { count: collisions, shown: format.number(collisions, 0) })}
        </span>
      )}
      <small className={styles.meta}>{t('scan.by', { actor, time: format.instant(startedAt) })}</small>
    </div>
  )
}
