// SPDX-License-Identifier: GPL-2.0-only
use std::collections::HashMap;
#[derive(Clone, Debug)]
struct Item { name: String, n: u64 }
fn work(n: u64) -> u64 {
    let mut items: Vec<Item> = (0..n).map(|i| Item { name: format!("item{}", i % 97), n: i * 7 % 1001 }).collect();
    items.sort_by(|a, b| a.n.cmp(&b.n).then_with(|| b.name.cmp(&a.name)));
    let mut by: HashMap<String, Vec<u64>> = HashMap::new();
    for i in &items { by.entry(i.name.clone()).or_default().push(i.n); }
    by.values().map(|v| v.iter().filter(|x| *x % 3 == 0).sum::<u64>()).max().unwrap_or(0)
        + items.iter().map(|i| i.name.bytes().map(|b| b as u64).sum::<u64>()).sum::<u64>()
}
fn main() { let mut s = 0; for k in 0..40 { s ^= work(20000 + k); } println!("{}", s); }
