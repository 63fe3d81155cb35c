#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>

namespace mirrormate {

/// A bounded queue between one writer and one reader thread; when it is full, the writer waits.
template <typename Item>
class Channel {
public:
    explicit Channel(size_t capacity) : capacity(capacity) {}

    void put(Item&& item) {
        std::unique_lock<std::mutex> held(lock);
        changed.wait(held, [&] { return items.size() < capacity || closed; });
        if (closed) return;
        items.push_back(std::move(item));
        changed.notify_all();
    }

    /// False if the channel is closed and empty.
    bool get(Item& item) {
        std::unique_lock<std::mutex> held(lock);
        changed.wait(held, [&] { return !items.empty() || closed; });
        if (items.empty()) return false;
        item = std::move(items.front());
        items.pop_front();
        changed.notify_all();
        return true;
    }

    void close() {
        std::lock_guard<std::mutex> held(lock);
        closed = true;
        changed.notify_all();
    }

private:
    const size_t capacity;
    std::mutex lock;
    std::condition_variable changed;
    std::deque<Item> items;
    bool closed = false;
};

}  // namespace mirrormate
