import { Input, Segmented } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NodePicker } from '../../../shared/form/node-picker.tsx'
import { useNow } from '../../../shared/format/use-now.ts'
import { SpanPicker } from '../../../shared/inputs/span-picker.tsx'
import { useTypedText } from '../../../shared/inputs/use-typed-text.ts'
import { type ListUrl, withFilter } from '../../../shared/records/list-url.ts'
import styles from './log.module.css'
import { type LogKind, logKinds, parseKind } from './log-query.ts'
import {
  findFixedRange,
  type LogPreset,
  logPresets,
  parseLogRange,
  toLogRangeText,
  toLogSpan,
} from './log-range.ts'

interface LogControlsProps {
  readonly url: ListUrl
  readonly onUrl: (part: Partial<ListUrl>) => void
}

/** Conditions of a search that are not a simple choice: kind, time range, user and node. */
export function LogControls({ url, onUrl }: LogControlsProps) {
  const { t } = useTranslation('system')
  const id = useId()
  const now = useNow(60)
  const set = (name: string, value: string | undefined) => onUrl(withFilter(url, name, value))
  const [account, typeAccount] = useTypedText(url.filters.account ?? '', (text) => set('account', text))
  const range = parseLogRange(url.filters.range)
  return (
    <>
      <Segmented<LogKind>
        aria-label={t('log.kind')}
        value={parseKind(url.filters.kind)}
        options={logKinds.map((value) => ({ value, label: t(`log.kinds.${value}`) }))}
        onChange={(kind) => set('kind', kind === 'changes' ? undefined : kind)}
      />
      <span className={styles.control}>
        <Segmented<LogPreset | ''>
          aria-label={t('log.range')}
          value={range.kind === 'last' ? range.preset : ''}
          options={logPresets.map((value) => ({ value, label: t(`log.preset.${value}`) }))}
          onChange={(preset) => {
            if (preset !== '') set('range', toLogRangeText({ kind: 'last', preset }))
          }}
        />
        <SpanPicker
          isInForce={range.kind === 'fixed'}
          getStart={() => ({ to: now, ...toLogSpan(range, now) })}
          findRange={findFixedRange}
          onRange={(chosen) => set('range', toLogRangeText(chosen))}
        />
      </span>
      <Input
        allowClear
        className={styles.account ?? ''}
        aria-label={t('log.account')}
        placeholder={t('log.account')}
        data-testid="filter-account"
        value={account}
        onChange={({ target }) => typeAccount(target.value)}
      />
      <span className={styles.node}>
        <NodePicker
          id={id}
          label={t('log.node')}
          value={url.filters.node}
          onNode={(node) => set('node', node)}
          onClear={() => set('node', undefined)}
        />
      </span>
    </>
  )
}
