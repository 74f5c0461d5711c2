import type { EnergyPrice, EnergyPrices } from '@isotherm/contract/balancing/heat-saving'
import { setEnergyPrice } from '@isotherm/contract/endpoints/control/savings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import field from '../fields/field.module.css'
import { NumberField } from '../fields/number-field.tsx'
import styles from './saving.module.css'
import { savingsKey } from './saving-query.ts'

interface PriceFormProps {
  /** Prices that apply to the station. */
  readonly prices: EnergyPrices
  /** Nodes where the user may set prices, the highest first. */
  readonly settable: readonly EnergyPrice[]
}

/** Bounds of the contract. 0 is no price. */
const HEAT = { min: 0.01, max: 10_000 }
const POWER = { min: 0.001, max: 100 }
const isIn = (value: number | null, { min, max }: typeof HEAT): boolean =>
  value === null || (value >= min && value <= max)

interface Draft {
  readonly node: string
  readonly yuanPerGj: number | null
  readonly yuanPerKwh: number | null
}

const toDraft = ({ node, yuanPerGj, yuanPerKwh }: EnergyPrice): Draft => ({
  node,
  yuanPerGj: yuanPerGj ?? null,
  yuanPerKwh: yuanPerKwh ?? null,
})

/** Form for the prices of a station, or of a node above it. Nothing for users who may not set them. */
export function PriceForm({ prices, settable }: PriceFormProps) {
  const { t } = useTranslation('balancing')
  const client = useQueryClient()
  const id = useId()
  const [typed, setTyped] = useState<Draft>()
  // Where a price was set before, else the highest node: most companies have one price.
  const usual = settable.findLast(({ version }) => version > 0) ?? settable[0]
  const save = useMutation({
    mutationFn: ({ node, yuanPerGj, yuanPerKwh }: Draft) =>
      call(
        setEnergyPrice,
        {
          node,
          version: settable.find((each) => each.node === node)?.version ?? 0,
          ...(yuanPerGj === null ? {} : { yuanPerGj }),
          ...(yuanPerKwh === null ? {} : { yuanPerKwh }),
        },
        { quiet: true },
      ),
    // Another user may have set prices in between: show the present ones.
    onSettled: () => client.invalidateQueries({ queryKey: savingsKey }),
    onSuccess: () => setTyped(undefined),
  })
  if (!usual) return null
  const draft = typed ?? toDraft(usual)
  const change = (changed: Partial<Draft>) => {
    setTyped({ ...draft, ...changed })
    save.reset()
  }
  const isRight = isIn(draft.yuanPerGj, HEAT) && isIn(draft.yuanPerKwh, POWER)
  return (
    <form
      className={styles.form}
      data-testid="price-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed && isRight && !save.isPending) save.mutate(draft)
      }}
    >
      <h3 className={styles.heading}>{t('saving.prices')}</h3>
      {settable.length > 1 && (
        <div className={field.field}>
          <label htmlFor={id}>{t('saving.priceFor')}</label>
          <Select
            id={id}
            className={styles.node ?? ''}
            data-testid="price-node"
            value={draft.node}
            options={settable.map(({ node, nodeName }) => ({ value: node, label: nodeName }))}
            onChange={(node) => {
              const chosen = settable.find((each) => each.node === node)
              if (chosen) change(toDraft(chosen))
            }}
          />
          <small>{t('saving.priceForHint')}</small>
        </div>
      )}
      <NumberField
        label={t('saving.heatPrice')}
        unit={t('saving.yuanPerGj')}
        hint={t('saving.priceHint')}
        bounds={HEAT}
        placeholder={prices.yuanPerGj === undefined ? '' : String(prices.yuanPerGj)}
        value={draft.yuanPerGj}
        onValue={(yuanPerGj) => change({ yuanPerGj })}
      />
      <NumberField
        label={t('saving.powerPrice')}
        unit={t('saving.yuanPerKwh')}
        hint={t('saving.priceHint')}
        bounds={POWER}
        placeholder={prices.yuanPerKwh === undefined ? '' : String(prices.yuanPerKwh)}
        value={draft.yuanPerKwh}
        onValue={(yuanPerKwh) => change({ yuanPerKwh })}
      />
      {save.error && <Alert type="error" showIcon title={toFailureText(save.error)} />}
      {save.isSuccess && !typed && <Alert type="success" showIcon title={t('saving.priceSaved')} />}
      <div className={styles.end}>
        <Button
          htmlType="submit"
          data-testid="price-save"
          disabled={!typed || !isRight}
          loading={save.isPending}
        >
          {t('saving.savePrice')}
        </Button>
      </div>
    </form>
  )
}
