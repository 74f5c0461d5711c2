import type { OrderPreview } from '@isotherm/contract/order-preview'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'

/** Warnings for the whole order: holds that it would end, and nodes whose mean opening would fall below their minimum. */
export function OrderObstacles({ preview }: { readonly preview: OrderPreview }) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const { ends, totals } = preview
  const holders = [...new Set(ends.map(({ actor }) => actor))]
  return (
    <>
      {ends.length > 0 && (
        <Alert
          type="warning"
          showIcon
          data-testid="order-ends"
          title={t('set.ends', { count: ends.length, actors: holders.join(', ') })}
        />
      )}
      {totals.map(({ node, totalPct, minTotalPct }) => (
        <Alert
          key={node}
          type="error"
          showIcon
          title={
            totalPct === undefined
              ? t('set.totalUnknown', { node, least: format.number(minTotalPct, 0) })
              : t('set.total', {
                  node,
                  total: format.number(totalPct, 1),
                  least: format.number(minTotalPct, 0),
                })
          }
        />
      ))}
    </>
  )
}
