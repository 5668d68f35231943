import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanCode, cleanEmail, cleanMobileNumber, stripInvisible, withAsciiDigits } from './typed-input.ts'

const cleaned = (clean: (text: string) => string, texts: readonly string[]) => texts.map(clean)

/** Characters of the first plane up to the surrogates. */
const characters = Array.from({ length: 0xd8_00 }, (_, code) => String.fromCharCode(code))
/** Not the iota below a letter, whose upper case is a letter of its own. */
const marks = characters.filter((character) => /^\p{M}$/u.test(character) && character.toUpperCase() === character)
const casedLetters = characters.filter((character) => /^\p{Lu}$/u.test(character))
/**
 * Not those such as ß, whose upper case is another text, and not sigma, whose lower case depends on what follows: with another letter
 * in their place the mailbox is another one.
 */
const lettersWithTwoCases = casedLetters.filter((letter) => {
  const lower = letter.toLowerCase()
  return lower.toUpperCase() === letter && letter.normalize('NFKC') === letter && lower !== 'σ'
})

describe('an e-mail address', () => {
  it('has one form, whatever is typed or pasted for the same mailbox', () => {
    const same = [
      'ada@example.com',
      ' ADA@Example.COM ',
      'ada@example.com\u200B',
      '\u202Aada@exam\u00ADple.com\u202C',
      'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ',
      'ada@ｅｘａｍｐｌｅ。com',
      '\uFEFFada@example.com',
    ]
    expect(cleaned(cleanEmail, same)).toEqual(same.map(() => 'ada@example.com'))
  })

  it('has its domain in ASCII, and keeps the rest of its local part', () => {
    expect(
      cleaned(cleanEmail, ['O\u2019Brien+X@Exämple.org', 'अ@उदाहरण.भारत', 'a@b.c@d.e', 'ada@münchen.xn--p1ai']),
    ).toEqual([
      'o\u2019brien+x@xn--exmple-cua.org',
      'अ@xn--p1b6ci4b4b3a.xn--h2brj9c',
      'a@b.c@d.e',
      'ada@xn--mnchen-3ya.xn--p1ai',
    ])
  })

  it('is not made of what is none', () => {
    const none = [
      '',
      'josé',
      'jose at example',
      'x@',
      'ada@exämple.com/path',
      'ada@exämple.com:80',
      'ada@ü?x',
      'ada@1.2',
      'min-2026-7k3fq9xd',
    ]
    expect(cleaned(cleanEmail, none)).toEqual(none)
    expect(cleanEmail('Ada@1.2')).toBe('ada@1.2')
  })

  it('stays as it is when it is cleaned again', () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 })
    fc.assert(
      fc.property(fc.tuple(text, text), ([local, domain]) => {
        const clean = cleanEmail(`${local}@${domain}`)
        expect(cleanEmail(clean)).toBe(clean)
      }),
    )
    const composed = characters.filter((character) => character.normalize('NFD') !== character)
    const once = composed.map((character) => cleanEmail(`${character.normalize('NFD').toUpperCase()}@example.org`))
    expect(cleaned(cleanEmail, once)).toEqual(once)
  })

  it('has one form, however its letters are spelled and composed', () => {
    const joe = [
      'J\u030Coe@example.org',
      'j\u030Coe@example.org',
      '\u01F0oe@example.org',
      'j\u200B\u030Coe@example.org',
    ]
    expect(cleaned(cleanEmail, joe)).toEqual(joe.map(() => '\u01F0oe@example.org'))
    const letter = fc.constantFrom(...lettersWithTwoCases, ...marks)
    fc.assert(
      fc.property(fc.string({ unit: letter, minLength: 1, maxLength: 8 }), (local) => {
        const address = `${local}@example.org`
        const cases = [address, address.toUpperCase(), address.toLowerCase()]
        const spellings = cases.flatMap((text) => [text.normalize('NFC'), text.normalize('NFD')])
        expect(cleaned(cleanEmail, spellings)).toEqual(spellings.map(() => cleanEmail(address)))
      }),
    )
  })

  it('keeps the form that accounts are found by', () => {
    const formerly = [
      'ada.lovelace+x_1-2@a-b.example.com',
      'žofie@b2.example',
      'josé.nuñez@example.com',
      'straße@example.com',
      'νίκος@example.com',
      'ılgaz@example.com',
      'i\u0307pek@example.com',
      'अ.१@x1.in',
    ]
    expect(cleaned(cleanEmail, formerly)).toEqual(formerly)
    expect(cleaned(cleanEmail, ['ŽOFIE@B2.example', 'JOSE\u0301@example.com', 'ΝΊΚΟΣ@example.com'])).toEqual([
      'žofie@b2.example',
      'josé@example.com',
      'νίκος@example.com',
    ])
  })
})

it('digits of any script are read, each as its value', () => {
  const scripts = ['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '०१२३४५६७८९', '০১২৩৪৫৬৭৮৯', '੦੧੨੩੪੫੬੭੮੯', '૦૧૨૩૪૫૬૭૮૯', '୦୧୨୩୪୫୬୭୮୯']
  const others = ['௦௧௨௩௪௫௬௭௮௯', '౦౧౨౩౪౫౬౭౮౯', '೦೧೨೩೪೫೬೭೮೯', '൦൧൨൩൪൫൬൭൮൯', '෦෧෨෩෪෫෬෭෮෯', '๐๑๒๓๔๕๖๗๘๙', '໐໑໒໓໔໕໖໗໘໙']
  const rare = [
    '߀߁߂߃߄߅߆߇߈߉',
    '༠༡༢༣༤༥༦༧༨༩',
    '၀၁၂၃၄၅၆၇၈၉',
    '០១២៣៤៥៦៧៨៩',
    '᱐᱑᱒᱓᱔᱕᱖᱗᱘᱙',
    '꯰꯱꯲꯳꯴꯵꯶꯷꯸꯹',
    '０１２３４５６７８９',
    '𝟬𝟭𝟮𝟯𝟰𝟱𝟲𝟳𝟴𝟵',
  ]
  const all = [...scripts, ...others, ...rare]
  expect(cleaned(withAsciiDigits, all)).toEqual(all.map(() => '0123456789'))
  expect(cleaned(withAsciiDigits, ['1\u200B2', 'a٣b', '᠐'])).toEqual(['12', 'a3b', '᠐'])
})

describe('a mobile number', () => {
  it('loses only what comes before ten digits that begin with 6 to 9', () => {
    const same = [
      '9876543210',
      '+91 98765 43210',
      '+91-98765-43210',
      '0091.9876543210',
      '09876543210',
      '(91) 98765/43210',
      '+91-098765 43210',
      '+91 (0) 98765 43210',
      '0091 0 98765 43210',
      '9109876543210',
      '＋９１ ९८७६५ ४३२१०',
    ]
    expect(cleaned(cleanMobileNumber, same)).toEqual(same.map(() => '9876543210'))
    expect(cleaned(cleanMobileNumber, ['06000000000', '+919999999999'])).toEqual(['6000000000', '9999999999'])
  })

  it('is never cut to the number of another person', () => {
    const others = [
      '98765432101',
      '+9876543210',
      '9198765432',
      '0987654321',
      '+915876543210',
      '05876543210',
      '+9198765432101',
      '+449876543210',
      'x9876543210',
      'x+919876543210',
      '009876543210',
      '0919876543210',
      '+0919876543210',
      '91919876543210',
      '+91009876543210',
      '+971501234567',
      '+6591234567',
      '+9779812345678',
      '+923001234567',
      '+19876543210',
      '+447876543210',
      'O9876543210',
      '9876543210ext5',
      '98765432109876543211',
    ]
    expect(cleaned(cleanMobileNumber, others)).toEqual(others)
  })
})

it('a code is the only run of six digits in what is pasted, or what is typed without what separates it', () => {
  const same = ['123456', '123 456', '123-456', '2 new: 123456', 'Code 123456 is valid for 10 minutes', '१२३४५६']
  expect(cleaned(cleanCode, same)).toEqual(same.map(() => '123456'))
  expect(cleaned(cleanCode, ['123456 654321', '1234567', '12 new', ''])).toEqual([
    '123456654321',
    '1234567',
    '12new',
    '',
  ])
})

it('invisible characters are stripped', () => {
  expect(stripInvisible('a\u200B\u2066b\u3164\u2800c\uFFFAd')).toBe('abcd')
})
