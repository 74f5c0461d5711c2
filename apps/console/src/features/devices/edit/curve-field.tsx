import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { type CurveKind, characteristicRanges, curveKind } from '@isotherm/contract/valve-characteristic'
import { Button, InputNumber, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import type { ControlProps } from '../../../shared/form/form-field.ts'
import styles from './edit.module.css'

/** A characteristic of which values may still be missing. */
const curveDraft = z.object({
  kind: curveKind,
  kvsM3H: z.number().optional(),
  rangeability: z.number().optional(),
  points: z.array(z.object({ openingPct: z.number().optional(), kvM3H: z.number().optional() })).optional(),
})
type CurveDraft = z.infer<typeof curveDraft>

/** A usual curve to start from; the values of the valve replace it. */
const usualPoints = [
  { openingPct: 0, kvM3H: undefined },
  { openingPct: 50, kvM3H: undefined },
  { openingPct: 100, kvM3H: undefined },
]

const toDraft = (kind: CurveKind, before: CurveDraft | undefined): CurveDraft => {
  if (kind === 'measured') return { kind, points: before?.points ?? usualPoints }
  const kvs = { kind, kvsM3H: before?.kvsM3H }
  return kind === 'equal-percentage' ? { ...kvs, rangeability: before?.rangeability } : kvs
}

/** The stated characteristic of a valve: its shape, and the values that the shape needs. Without a shape nothing is stated. */
export function CurveField({ id, value, isFaulty, onValue }: ControlProps) {
  const { t } = useTranslation(['devices', 'common'])
  const parsed = curveDraft.safeParse(value)
  const draft = parsed.success ? parsed.data : undefined
  const { kvsM3H, rangeability, points } = characteristicRanges
  const status = isFaulty ? 'error' : ''
  const rows = draft?.points ?? []
  const setRow = (index: number, part: object) =>
    onValue({ ...draft, points: rows.map((row, at) => (at === index ? { ...row, ...part } : row)) })
  return (
    <div className={styles.curve}>
      <Select
        id={id}
        allowClear
        status={status}
        data-testid="field-characteristic"
        placeholder={t('edit.notStated')}
        value={draft?.kind ?? null}
        options={curveKind.options.map((kind) => ({
          value: kind,
          label: t(`device.curve.kind.${kind}`, { ns: 'common' }),
        }))}
        onChange={(kind: CurveKind | null | undefined) => onValue(kind ? toDraft(kind, draft) : undefined)}
      />
      {draft && draft.kind !== 'measured' && (
        <InputNumber
          aria-label={t('edit.kvs')}
          data-testid="curve-kvs"
          prefix="Kvs"
          suffix="m³/h"
          min={kvsM3H.min}
          max={kvsM3H.max}
          status={status}
          value={draft.kvsM3H ?? null}
          onChange={(next) => onValue({ ...draft, kvsM3H: next ?? undefined })}
        />
      )}
      {draft?.kind === 'equal-percentage' && (
        <InputNumber
          aria-label={t('edit.rangeability')}
          data-testid="curve-rangeability"
          prefix={t('edit.rangeability')}
          min={rangeability.min}
          max={rangeability.max}
          status={status}
          value={draft.rangeability ?? null}
          onChange={(next) => onValue({ ...draft, rangeability: next ?? undefined })}
        />
      )}
      {draft?.kind === 'measured' && (
        <>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: points have no other identity while they are entered
            <div key={index} className={styles.point}>
              <InputNumber
                aria-label={t('edit.pointOpening', { number: index + 1 })}
                suffix="%"
                min={0}
                max={100}
                precision={0}
                value={row.openingPct ?? null}
                onChange={(next) => setRow(index, { openingPct: next ?? undefined })}
              />
              <InputNumber
                aria-label={t('edit.pointKv', { number: index + 1 })}
                suffix="m³/h"
                min={0}
                value={row.kvM3H ?? null}
                onChange={(next) => setRow(index, { kvM3H: next ?? undefined })}
              />
              <Button
                icon={<DeleteOutlined />}
                aria-label={t('edit.removePoint', { number: index + 1 })}
                disabled={rows.length <= points.min}
                onClick={() => onValue({ ...draft, points: rows.filter((_, at) => at !== index) })}
              />
            </div>
          ))}
          <Button
            icon={<PlusOutlined />}
            disabled={rows.length >= points.max}
            onClick={() => onValue({ ...draft, points: [...rows, {}] })}
          >
            {t('edit.addPoint')}
          </Button>
        </>
      )}
    </div>
  )
}
