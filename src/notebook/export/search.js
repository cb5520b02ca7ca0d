'use strict';
// Searches the sections that are listed in this page, hidden; nothing is fetched.
(() => {
  const MOST = 50, BEFORE = 50, BEHIND = 130;
  const form = document.querySelector('.search'), field = form.querySelector('input');
  const said = form.querySelector('output'), list = document.querySelector('.found');
  const lessons = document.querySelector('.lessons');
  const entries = [...list.children].map(item => {
    const part = item.querySelector('p'), text = part.textContent;
    const title = item.querySelector('a').textContent.toLowerCase();
    return { item, part, text, title, lower: text.toLowerCase() };
  });

  // Shows the words around the first one that was found, marked.
  function show({ part, text, lower }, word) {
    const at = Math.max(lower.indexOf(word), 0), begin = Math.max(at - BEFORE, 0);
    const mark = document.createElement('mark');
    mark.textContent = lower.includes(word) ? text.slice(at, at + word.length) : '';
    const behind = at + mark.textContent.length;
    const before = text.slice(begin, at), after = text.slice(behind, behind + BEHIND);
    part.replaceChildren(begin ? '… ' + before.replace(/^[a-z]+\s/i, '') : before, mark,
      behind + BEHIND < text.length ? after.replace(/\s[a-z]+$/i, '') + ' …' : after);
  }

  function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (entry, ...fields) => words.every(word => fields.some(f => entry[f].includes(word)));
    const found = words.length ? entries.filter(entry => matches(entry, 'title', 'lower')) : [];
    found.sort((a, b) => matches(b, 'title') - matches(a, 'title'));
    found.slice(0, MOST).forEach(entry => show(entry, words.find(w => entry.lower.includes(w)) || words[0]));
    list.replaceChildren(...found.slice(0, MOST).map(entry => entry.item));
    list.hidden = found.length === 0;
    lessons.hidden = words.length > 0;
    said.textContent = words.length ? said.dataset.found.replace('%d', found.length) : '';
  }

  field.addEventListener('input', search);
  form.addEventListener('submit', event => {
    event.preventDefault();
    if (!list.hidden) list.querySelector('a').click();
  });
  document.addEventListener('keydown', event => {
    if (event.key === '/' && document.activeElement !== field) {
      event.preventDefault();
      field.select();
    } else if (event.key === 'Escape' && field.value) {
      field.value = '';
      search();
      field.focus();
    }
  });
  addEventListener('pageshow', search);
  list.replaceChildren();
  form.hidden = false;
})();
