import { type BalanceMethod, balanceMethod } from '@isotherm/contract/balancing/balance-method'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import field from '../fields/field.module.css'
import { pipesQuery } from '../pipes/network-queries.ts'

const methods = balanceMethod.options

interface MethodFieldProps {
  readonly method: BalanceMethod
  readonly node: NodeKey
  readonly onMethod: (method: BalanceMethod) => void
}

/** Choice of the method with its explanation, and a note if no pipes are recorded. */
export function MethodField({ method, node, onMethod }: MethodFieldProps) {
  const { t } = useTranslation('balancing')
  const { data: pipes } = useQuery(pipesQuery(node))
  return (
    <div className={field.field}>
      <span>{t('strategy.form.method')}</span>
      <Segmented
        aria-label={t('strategy.form.method')}
        data-testid="start-method"
        value={method}
        options={methods.map((each) => ({ value: each, label: t(`strategy.method.${each}`) }))}
        onChange={onMethod}
      />
      <small>{t(`start.methodHints.${method}`)}</small>
      {method === 'model' && pipes?.length === 0 && (
        <small data-testid="start-no-pipes">{t('start.noPipes')}</small>
      )}
    </div>
  )
}
