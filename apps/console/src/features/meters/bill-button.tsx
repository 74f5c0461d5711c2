import { FileExcelOutlined } from '@ant-design/icons'
import { exportHeatBills } from '@isotherm/contract/endpoints/monitoring/meters'
import type { NodeKey } from '@isotherm/contract/tree'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, InputNumber, Segmented } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../shared/api/api-error.ts'
import { download } from '../../shared/api/client.ts'
import { showNotice } from '../../shared/notices/notices.ts'
import { saveFile } from '../../shared/ui/save-file.ts'
import { SideDrawer } from '../../shared/ui/side-drawer.tsx'
import { type HeatUnit, toPricePerKwh } from './heat-unit.ts'
import styles from './meters.module.css'

const WIDTH_PX = 420
/** Largest price, yuan per m² or per unit of heat. */
const MAX_PRICE = 10_000

interface BillButtonProps {
  readonly nodes: readonly NodeKey[]
  readonly dates: { readonly from: string; readonly to: string } | undefined
  readonly unit: HeatUnit
}

interface Prices {
  readonly perM2: number | null
  /** Per unit of heat. */
  readonly perHeat: number | null
}

/** Button that opens the form of the heat bills: the price per m², the price of heat, and the download of the file. */
export function BillButton({ nodes, dates, unit }: BillButtonProps) {
  const { t } = useTranslation('meters')
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [format, setFormat] = useState<'xlsx' | 'csv'>('xlsx')
  const [prices, setPrices] = useState<Prices>({ perM2: null, perHeat: null })
  const { perM2, perHeat } = prices
  const saving = useMutation({
    mutationFn: () => {
      if (!dates || perM2 === null || perHeat === null) return Promise.reject(new Error('prices are missing'))
      return download(exportHeatBills, {
        nodes: [...nodes],
        ...dates,
        unit,
        format,
        yuanPerM2: perM2,
        yuanPerKwh: toPricePerKwh(perHeat, unit),
      })
    },
    onSuccess(file) {
      saveFile(file)
      showNotice('success', t('bill.done', { name: file.name }))
      setOpen(false)
    },
  })
  const field = (name: keyof Prices, label: string) => (
    <div className={styles.field}>
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <InputNumber<number>
        id={`${id}-${name}`}
        min={0}
        max={MAX_PRICE}
        value={prices[name]}
        onChange={(value) => setPrices({ ...prices, [name]: value })}
      />
    </div>
  )
  return (
    <>
      <Button
        icon={<FileExcelOutlined />}
        disabled={!dates}
        data-testid="bill-open"
        onClick={() => setOpen(true)}
      >
        {t('bill.button')}
      </Button>
      <SideDrawer
        isWanted={isOpen}
        title={t('bill.title')}
        widthPx={WIDTH_PX}
        isModal
        onClose={() => setOpen(false)}
      >
        <form
          className={styles.drawer}
          onSubmit={(event) => {
            event.preventDefault()
            saving.mutate()
          }}
        >
          <p className={styles.none}>{dates && t('bill.hint', dates)}</p>
          {field('perM2', t('bill.perM2'))}
          {field('perHeat', t('bill.perHeat', { unit }))}
          <Segmented<'xlsx' | 'csv'>
            aria-label={t('bill.format')}
            value={format}
            options={['xlsx', 'csv']}
            onChange={setFormat}
          />
          {saving.error && <Alert type="error" showIcon title={toFailureText(saving.error)} />}
          <Button
            type="primary"
            htmlType="submit"
            loading={saving.isPending}
            disabled={perM2 === null || perHeat === null}
            data-testid="bill-download"
          >
            {t('bill.download')}
          </Button>
        </form>
      </SideDrawer>
    </>
  )
}
