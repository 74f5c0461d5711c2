import type { InterfaceItem } from '@isotherm/contract/endpoints/administration/interfaces'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import { type RecordColumn, toNumberColumn, toTextColumn } from '../../../shared/records/record-column.ts'
import { StateBadge } from '../../../shared/ui/state-badge.tsx'
import { toCallers, toInterfaceName, toMethod, toState } from './interface-text.ts'

const toText = toTextColumn<InterfaceItem>
const toNumber = toNumberColumn<InterfaceItem>

/** Columns of the list of interfaces. */
export function useInterfaceColumns(): readonly RecordColumn<InterfaceItem>[] {
  const { t } = useTranslation('system')
  const language = useLanguage()
  const format = useFormat()
  return useMemo(() => {
    return [
      toText('name', t('interfaces.name'), 220, (item) => toInterfaceName(item, language, t)),
      toText('method', t('interfaces.method'), 80, (item) => toMethod(item, t)),
      toText('address', t('interfaces.address'), 300, ({ address }) => address),
      {
        ...toText('state', t('interfaces.state'), 90, (item) => toState(item, t)),
        render: (item) => <StateBadge state={item.enabled ? 'on' : 'off'}>{toState(item, t)}</StateBadge>,
      },
      toText('access', t('interfaces.access'), 220, (item) => toCallers(item, language, t)),
      toNumber(
        'calls',
        t('interfaces.calls'),
        ({ calls }) => calls,
        ({ calls }) => format.number(calls, 0),
      ),
      toNumber(
        'failures',
        t('interfaces.failures'),
        ({ failures }) => failures,
        ({ failures }) => format.number(failures, 0),
      ),
      toNumber(
        'p95',
        t('interfaces.p95'),
        ({ p95Ms }) => p95Ms,
        ({ p95Ms }) => (p95Ms === null ? '' : t('interfaces.ms', { value: format.number(p95Ms, 0) })),
      ),
      { ...toText('raw', t('interfaces.raw'), 180, ({ name }) => name), isExtra: true },
      { ...toText('summary', t('interfaces.summary'), 360, ({ summary }) => summary), isExtra: true },
    ]
  }, [t, language, format])
}
