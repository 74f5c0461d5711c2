import type { OperationEntry } from '@isotherm/contract/endpoints/administration/operations'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import { StateBadge } from '../../../shared/ui/state-badge.tsx'
import { toChangedText, toNameText, toResultText } from './entry-text.ts'

/** Columns of the operation log, also of its exported file, which has the input and the changes too. */
export function useLogColumns(): readonly RecordColumn<OperationEntry>[] {
  const { t } = useTranslation('system')
  const language = useLanguage()
  const format = useFormat()
  return useMemo(() => {
    const nameOf = (entry: OperationEntry) => toNameText(entry, language, t)
    const resultOf = ({ result }: OperationEntry) => toResultText(result, language, t)
    const changedOf = (entry: OperationEntry) => toChangedText(entry, language, t)
    const accountOf = ({ account }: OperationEntry) => (account === '' ? t('log.system') : account)
    const toText = (
      key: string,
      title: string,
      widthPx: number,
      text: (entry: OperationEntry) => string,
    ) => ({
      key,
      title,
      widthPx,
      text,
      render: text,
    })
    return [
      toText('at', t('log.at'), 170, ({ at }) => format.instant(at)),
      toText('account', t('log.account'), 140, accountOf),
      toText('operation', t('log.operation'), 240, nameOf),
      {
        ...toText('result', t('log.result'), 220, resultOf),
        render: (entry) => (
          <StateBadge state={entry.result === 'ok' ? 'on' : 'failed'}>{resultOf(entry)}</StateBadge>
        ),
      },
      toText('changed', t('log.changed'), 220, changedOf),
      toText('from', t('log.from'), 130, ({ address }) => address ?? ''),
      { ...toText('name', t('log.name'), 180, ({ endpoint }) => endpoint), isExtra: true },
      { ...toText('request', t('log.request'), 160, ({ requestId }) => requestId ?? ''), isExtra: true },
      {
        ...toText('input', t('log.input'), 260, ({ input }) => JSON.stringify(input ?? {})),
        isExtra: true,
        isOnCard: false,
      },
      {
        ...toText('changes', t('log.changes'), 260, ({ changes }) => JSON.stringify(changes)),
        isExtra: true,
        isOnCard: false,
      },
    ]
  }, [t, language, format])
}
