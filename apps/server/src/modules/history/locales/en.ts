import type { exportZh } from './zh.ts'

export const exportEn: typeof exportZh = {
  file: 'history',
  serial: 'Serial',
  name: 'Name',
  place: 'Place',
  metric: 'Metric',
  unit: 'Unit',
  time: 'Time',
  value: 'Value',
  quality: 'Quality',
  start: 'From',
  total: 'Readings',
  good: 'Good readings',
  avg: 'Mean',
  min: 'Minimum',
  max: 'Maximum',
  first: 'First',
  last: 'Last',
}
