import { PlusOutlined } from '@ant-design/icons'
import type { NodeKey } from '@isotherm/contract/tree'
import { Button, Select } from 'antd'
import { useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import styles from '../strategy.module.css'
import { areNested, listAreas, listFree, type Place } from './places.ts'

interface PlaceSelectProps {
  readonly places: readonly Place[]
  /** Places of the other groups: they and what is in them cannot be chosen. */
  readonly taken: readonly NodeKey[]
  readonly chosen: readonly NodeKey[]
  readonly onChosen: (nodes: readonly NodeKey[]) => void
}

/** The places of one group, found by name, or all of an area that no group has. */
export function PlaceSelect({ places, taken, chosen, onChosen }: PlaceSelectProps) {
  const { t } = useTranslation('balancing')
  const id = useId()
  const options = useMemo(
    () =>
      listAreas(places).map(([area, of]) => ({
        label: area,
        title: area,
        options: of.map(({ node, name }) => ({
          value: node,
          label: name,
          // What is shown of it among the chosen, and found by.
          whole: `${area} ${name}`,
          disabled:
            taken.some((other) => areNested(node, other)) ||
            chosen.some((other) => other !== node && areNested(node, other)),
        })),
      })),
    [places, taken, chosen],
  )
  const free = listAreas(listFree(places, [...taken, ...chosen]))
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{t('strategy.form.places')}</label>
      <Select<NodeKey[]>
        id={id}
        mode="multiple"
        className={styles.wide ?? ''}
        data-testid="group-places"
        allowClear
        showSearch={{ optionFilterProp: 'whole' }}
        optionLabelProp="whole"
        maxTagCount="responsive"
        placeholder={t('strategy.form.placesEmpty')}
        value={[...chosen]}
        options={options}
        onChange={onChosen}
      />
      <small>{t(chosen.length === 0 ? 'strategy.form.placesWrong' : 'strategy.form.placesHint')}</small>
      {free.length > 0 && (
        <div className={styles.line}>
          {free.map(([area, of]) => (
            <Button
              key={area}
              size="small"
              icon={<PlusOutlined />}
              data-testid={`place-all-${area}`}
              onClick={() => onChosen([...chosen, ...of.map(({ node }) => node)])}
            >
              {t('strategy.form.restOf', { area, count: of.length })}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
