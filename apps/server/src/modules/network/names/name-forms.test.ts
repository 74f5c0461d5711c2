import { expect, test } from 'vitest'
import { FORMS_VERSION, toNameForms } from './name-forms.ts'

test.each([
  ['和源热力集团', 'heyuanrelijituan', 'hyrljt'],
  ['三号楼', '3haolou', '3hl'],
  ['绿园Ａ座', 'lvyuanazuo', 'lyaz'],
  ['长安小区', 'changanxiaoqu', 'caxq'],
  ['银行家属院', 'yinhangjiashuyuan', 'yhjsy'],
  ['重庆路', 'chongqinglu', 'cql'],
  ['101', '101', '101'],
  ['Block 7', 'block7', 'block7'],
])('%s is read %s and abbreviated %s', (name, pinyin, initials) => {
  expect(toNameForms(name)).toMatchObject({ pinyin, initials })
})

test('§3: Chinese numerals (一 to 十, 百) equal digits, and width and case do not count', () => {
  expect(toNameForms('二十三号楼').folded).toBe('23号楼')
  expect(toNameForms('一百零二室').folded).toBe('102室')
  expect(toNameForms('Ａ座')).toMatchObject({ plain: 'a座', folded: 'a座' })
  expect(toNameForms('八一小区').plain).toBe('八一小区')
})

test('a change of these forms needs a new FORMS_VERSION, because the forms are stored', () => {
  const names = ['和源热力集团', '绿园Ａ座', '二十三号楼', '八一小区', '一零一', '重庆路 3-1', 'Block 7']
  const forms = names.map((name) => Object.values(toNameForms(name)).join(' | '))
  expect({ version: FORMS_VERSION, forms }).toMatchInlineSnapshot(`
    {
      "forms": [
        "和源热力集团 | 和源热力集团 | heyuanrelijituan | hyrljt",
        "绿园a座 | 绿园a座 | lvyuanazuo | lyaz",
        "二十三号楼 | 23号楼 | 23haolou | 23hl",
        "八一小区 | 81小区 | 81xiaoqu | 81xq",
        "一零一 | 101 | 101 | 101",
        "重庆路 3-1 | 重庆路 3-1 | chongqinglu31 | cql31",
        "block 7 | block 7 | block7 | block7",
      ],
      "version": 1,
    }
  `)
})
